// The engine: Latchkey's Swift code as WebAssembly. Node and the page use this file alike.
'use strict';

// Calls an instance of the engine, which takes a request and gives a reply as JSON.
class Engine {
  #module;
  #imports;
  #instance;

  // Creates an engine. A search of every policy calls `report` with the number of policies that it has searched so far.
  constructor(module, report = () => {}) {
    this.#module = module;
    this.#imports = { page: { report } };
    this.#instance = new WebAssembly.Instance(module, this.#imports);
  }

  // Compiles the engine from its bytes.
  static async open(bytes) {
    return new Engine(await WebAssembly.compile(bytes));
  }

  // Returns the answer to a request. Throws an Error that names the wrong word.
  ask(question, request = {}) {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...request, ask: question }));
    let reply;
    try {
      const { latchkey_request, latchkey_answer, latchkey_reply, memory } = this.#instance.exports;
      new Uint8Array(memory.buffer, latchkey_request(bytes.length) >>> 0, bytes.length).set(bytes);
      const count = latchkey_answer() >>> 0;
      reply = new TextDecoder().decode(new Uint8Array(memory.buffer, latchkey_reply() >>> 0, count));
    } catch (error) {
      // Memory ran out, or the engine has a fault. A fresh instance forgets both.
      this.#instance = new WebAssembly.Instance(this.#module, this.#imports);
      throw new Error(`The engine stopped: ${error.message}. Reload the page and try a smaller question.`);
    }
    const { answer, error } = JSON.parse(reply);
    if (error !== undefined) throw new Error(error);
    return answer;
  }

  // Proves one claim, in the words of the command line.
  prove(claim) {
    return this.ask('prove', claim);
  }
}

if (typeof module !== 'undefined') module.exports = { Engine };
