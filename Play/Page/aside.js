
// Long questions, asked in a worker beside the page, so that the page stays quick. The worker gets the engine's text and its compiled
// module from the page, and so makes no request.

// Answers one question in the worker.
function answerAside() {
  self.onmessage = ({ data: { module, question, request } }) => {
    let reply;
    try {
      reply = { answer: new Engine(module, (policies) => self.postMessage({ policies })).ask(question, request) };
    } catch (error) {
      reply = { error: error.message };
    }
    self.postMessage(reply);
  };
}

// Asks a question, and calls `report` with the number of policies searched so far. `stop` ends it. It resolves to null if it was stopped.
function askAside(question, request, report) {
  const source = URL.createObjectURL(new Blob([`'use strict';\n${Engine}\n${answerAside}\nanswerAside();\n`], { type: 'text/javascript' }));
  const worker = new Worker(source);
  let stop;
  const answer = new Promise((resolve, reject) => {
    stop = () => resolve(null);
    worker.onerror = () => reject(new Error('This browser does not let a page in a file search beside itself. Use the command below.'));
    worker.onmessage = ({ data }) => {
      if ('policies' in data) report(data.policies);
      else if ('error' in data) reject(new Error(data.error));
      else resolve(data.answer);
    };
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(source);
  });
  compiling.then((module) => worker.postMessage({ module, question, request }));
  return { answer, stop };
}
