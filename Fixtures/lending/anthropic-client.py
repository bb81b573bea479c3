"""What a program does with the package anthropic, in the sandbox of a test."""
import anthropic

client = anthropic.Anthropic()
question = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "first"}]}
print(client.messages.create(**question).content[0].text)
seen = 0
with client.messages.stream(**question) as stream:
    for text in stream.text_stream:
        print("streamed", text)
        open(f"seen-{seen}", "w").close()
        seen += 1
    print("whole", stream.get_final_message().content[0].text)
try:
    client.models.list()
except anthropic.PermissionDeniedError as error:
    print("refused", error)
