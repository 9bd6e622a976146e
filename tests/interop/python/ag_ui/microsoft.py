"""Microsoft Agent Framework behind its AG-UI endpoint, with a scripted chat client."""

import json

from agent_framework import Agent, BaseChatClient, ChatResponseUpdate, Content, FunctionInvocationLayer, ResponseStream, tool
from agent_framework.ag_ui import AgentFrameworkAgent, add_agent_framework_fastapi_endpoint
from fastapi import FastAPI

from scripts import TOOLS, Lines, asks, serve


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """A chat client that streams the replies of a script."""

    def __init__(self, script):
        super().__init__()
        self.script = script

    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        async def updates():
            reply = self.script.next(lines(messages))
            text = reply.get('text', '')
            for piece in (text[:2], text[2:]):
                if piece:
                    yield ChatResponseUpdate(role='assistant', contents=[Content.from_text(piece)])
            for call in reply.get('calls', []):
                arguments = json.dumps({'path': call['path']})
                made = Content.from_function_call(call_id=call['id'], name=call['tool'], arguments=arguments)
                yield ChatResponseUpdate(role='assistant', contents=[made])

        assert stream
        return self._build_response_stream(updates())


def lines(messages):
    found = Lines()
    for message in messages:
        for content in message.contents:
            if content.type == 'text':
                found.text('user' if message.role == 'user' else 'text', content.text)
            elif content.type == 'function_call':
                found.call(content.call_id, content.name, content.arguments)
            elif content.type == 'function_result':
                found.result(content.call_id, str(content.result))
            else:
                found.text('other', content.type)
    return found.lines


def tool_of(script, name):
    def act(path: str) -> str:
        return script.run(name, path)

    return tool(name=name, description=name, approval_mode='always_require' if asks(name) else 'never_require')(act)


app = FastAPI()


def open_chat(number, script, options):
    agent = Agent(client=Scripted(script), name='agent', tools=[tool_of(script, name) for name in TOOLS])
    wrapped = AgentFrameworkAgent(agent=agent, **options)
    add_agent_framework_fastapi_endpoint(app, wrapped, f'/ag-ui/{number}', single_user=True)


serve(app, open_chat)
