"""Calls the tools of `latchkey lend` by the client of the Python package mcp, over HTTP at the address in LENT_TOOLS."""
import asyncio
import os

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main():
    async with streamable_http_client(os.environ["LENT_TOOLS"]) as streams:
        async with ClientSession(streams[0], streams[1]) as client:
            print("server", (await client.initialize()).server_info.name)
            print("tools", *sorted(tool.name for tool in (await client.list_tools()).tools))
            listed = await client.call_tool("latchkey_list", {})
            print("services", *(service["name"] for service in listed.structured_content["services"]))
            asked = await client.call_tool("latchkey_request", {"service": "api", "reason": "try"})
            print("state", asked.structured_content["state"])
            refused = await client.call_tool("latchkey_request", {"service": "other", "reason": "try"})
            print("refused", refused.is_error)


asyncio.run(main())
