"""Pydantic AI with a scripted model, behind both of its adapters, on the loopback.

`POST /open` starts a chat with a list of replies, and replies with its number. Clients of the two protocols send
requests to `POST /vercel/<n>` and `POST /ag-ui/<n>`. `GET /seen/<n>` returns the tools that ran and the messages that
the model received.
"""

import json

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelRequest, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from starlette.responses import JSONResponse
from starlette.routing import Route

from serving import serve


class Chat:
    """One chat: its script, the tools that ran, and every prompt."""

    def __init__(self, replies):
        self.replies = list(replies)
        self.ran = []
        self.prompts = []
        self.agent = Agent(FunctionModel(stream_function=self.answer), output_type=[str, DeferredToolRequests])
        for name in ('read', 'remove', 'send'):
            self.agent.tool_plain(self.tool(name), name=name, requires_approval=name != 'read')

    def tool(self, name):
        # Async, because in threads the tools of one step would be recorded in random order.
        async def run(path: str) -> str:
            self.ran.append(f'{name} {path}')
            return f'{name} {path}: done'

        return run

    async def answer(self, messages, _info):
        self.prompts.append(list(lines(messages)))
        if not self.replies:
            raise RuntimeError('the script has no more replies')
        reply = self.replies.pop(0)
        if 'error' in reply:
            raise RuntimeError(reply['error'])
        if 'text' in reply:
            yield reply['text'][:2]
            yield reply['text'][2:]
        for place, call in enumerate(reply.get('calls', [])):
            arguments = json.dumps({'path': call['path']})
            yield {place: DeltaToolCall(name=call['tool'], json_args=arguments[:5], tool_call_id=call['id'])}
            yield {place: DeltaToolCall(json_args=arguments[5:])}


def lines(messages):
    """The messages that the model received, as the lines that rig.ts defines.

    A result also has its outcome, which the model does not see.
    """
    calls = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                calls[part.tool_call_id] = f'{part.tool_name} {part.args_as_dict()["path"]}'
                yield {'kind': 'call', 'call': calls[part.tool_call_id]}
            elif isinstance(part, ToolReturnPart):
                text = part.model_response_str()
                yield {'kind': 'result', 'text': text, 'call': calls.get(part.tool_call_id), 'outcome': part.outcome}
            elif isinstance(part, UserPromptPart):
                text = part.content if isinstance(part.content, str) else ''.join(str(item) for item in part.content)
                yield {'kind': 'user', 'text': text}
            elif isinstance(part, TextPart):
                yield {'kind': 'text', 'text': part.content}
            else:
                yield {'kind': 'other', 'text': type(part).__name__ if isinstance(message, ModelRequest) else part.part_kind}


chats = []


async def open_chat(request):
    chats.append(Chat(await request.json()))
    return JSONResponse(len(chats) - 1)


async def vercel(request):
    agent = chats[request.path_params['chat']].agent
    return await VercelAIAdapter.dispatch_request(request, agent=agent, sdk_version=6)


async def ag_ui(request):
    return await AGUIAdapter.dispatch_request(request, agent=chats[request.path_params['chat']].agent)


async def seen(request):
    chat = chats[request.path_params['chat']]
    return JSONResponse({'ran': chat.ran, 'prompts': chat.prompts, 'left': len(chat.replies)})


serve(
    [
        Route('/open', open_chat, methods=['POST']),
        Route('/vercel/{chat:int}', vercel, methods=['POST']),
        Route('/ag-ui/{chat:int}', ag_ui, methods=['POST']),
        Route('/seen/{chat:int}', seen),
    ]
)
