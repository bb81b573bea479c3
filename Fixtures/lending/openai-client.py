"""What a program does with the package openai, in the sandbox of a test."""
import asyncio

import openai

client = openai.OpenAI()
question = [{"role": "user", "content": "first"}]
print("models", [model.id for model in client.models.list()])
print(client.chat.completions.create(model="m", messages=question).choices[0].message.content)
seen = 0
for chunk in client.chat.completions.create(model="m", messages=question, stream=True):
    print("streamed", chunk.choices[0].delta.content)
    open(f"seen-{seen}", "w").close()
    seen += 1


async def together():
    async with openai.AsyncOpenAI() as one:
        asked = [[{"role": "user", "content": f"number {number}"}] for number in range(8)]
        return await asyncio.gather(*[one.chat.completions.create(model="m", messages=messages) for messages in asked])


print("together", [answer.choices[0].message.content for answer in asyncio.run(together())])
try:
    client.files.list()
except openai.PermissionDeniedError as error:
    print("refused", error)
