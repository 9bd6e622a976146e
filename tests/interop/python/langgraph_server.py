"""A LangChain agent with the human-in-the-loop middleware, in the format of a LangGraph server, on the loopback.

`POST /open` starts a chat with a list of replies and the middleware's mode, and replies with its number.
The SDK's client sends runs to `POST /<n>/threads/<thread>/runs/stream`. `GET /seen/<n>` returns the tools that ran and
the messages that the model received.
"""

import json

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Interrupt
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from serving import serve


class Scripted(BaseChatModel):
    """A scripted model that streams its replies in pieces."""

    chat: object

    @property
    def _llm_type(self):
        return 'scripted'

    def bind_tools(self, *_args, **_kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise NotImplementedError('this model streams')

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        self.chat.prompts.append(list(lines(messages)))
        if not self.chat.replies:
            raise RuntimeError('the script has no more replies')
        reply = self.chat.replies.pop(0)
        if 'error' in reply:
            raise RuntimeError(reply['error'])
        for letter in reply.get('text', ''):
            yield ChatGenerationChunk(message=AIMessageChunk(content=letter))
        for index, call in enumerate(reply.get('calls', [])):
            arguments = json.dumps({'path': call['path']})
            first = {'index': index, 'id': call['id'], 'name': call['tool'], 'args': arguments[:5]}
            rest = {'index': index, 'id': None, 'name': None, 'args': arguments[5:]}
            for piece in (first, rest):
                yield ChatGenerationChunk(message=AIMessageChunk(content='', tool_call_chunks=[piece]))


class Chat:
    """One chat: its script, the tools that ran, and every prompt."""

    def __init__(self, replies, mode):
        self.replies = list(replies)
        self.ran = []
        self.prompts = []
        self.agent = create_agent(
            Scripted(chat=self),
            [self.tool(name) for name in ('read', 'remove', 'send')],
            middleware=[HumanInTheLoopMiddleware({'remove': True, 'send': True}, interrupt_mode=mode)],
            checkpointer=InMemorySaver(),
        )

    def tool(self, name):
        def run(path: str) -> str:
            self.ran.append(f'{name} {path}')
            return f'{name} {path}: done'

        return StructuredTool.from_function(run, name=name, description=name)


def lines(messages):
    """The messages that the model received, as the lines that rig.ts defines."""
    calls = {}
    for message in messages:
        if message.type == 'tool':
            yield {'kind': 'result', 'text': message.content, 'call': calls.get(message.tool_call_id)}
            continue
        if message.content:
            yield {'kind': 'user' if message.type == 'human' else 'text', 'text': message.content}
        for call in getattr(message, 'tool_calls', []):
            calls[call['id']] = f'{call["name"]} {call["args"]["path"]}'
            yield {'kind': 'call', 'call': calls[call['id']]}


def plain(value):
    """Converts a value that JSON cannot express, as the LangGraph server does."""
    if isinstance(value, BaseMessage):
        return value.model_dump()
    if isinstance(value, Interrupt):
        return {name: getattr(value, name) for name in value.__slots__}
    raise TypeError(type(value).__name__)


chats = []


async def open_chat(request):
    body = await request.json()
    chats.append(Chat(body['replies'], body['mode']))
    return JSONResponse(len(chats) - 1)


async def run(request):
    body = await request.json()
    agent = chats[request.path_params['chat']].agent
    command = body.get('command')
    modes = ['messages' if mode == 'messages-tuple' else mode for mode in body['stream_mode']]

    def event(name, data):
        return f'event: {name}\ndata: {json.dumps(data, default=plain)}\n\n'

    def stream():
        yield event('metadata', {'run_id': 'run', 'attempt': 1})
        try:
            source = Command(resume=command['resume']) if command else body['input']
            for mode, data in agent.stream(source, body['config'], stream_mode=modes):
                yield event(mode, data)
        except Exception as error:  # every error is reported to the client
            yield event('error', {'error': type(error).__name__, 'message': str(error)})
        yield event('end', None)

    return StreamingResponse(stream(), media_type='text/event-stream')


async def state(request):
    thread = chats[request.path_params['chat']].agent.get_state({'configurable': {'thread_id': 'chat'}})
    found = {'messages': thread.values['messages'], 'interrupts': thread.interrupts}
    return JSONResponse(json.loads(json.dumps(found, default=plain)))


async def seen(request):
    chat = chats[request.path_params['chat']]
    return JSONResponse({'ran': chat.ran, 'prompts': chat.prompts})


serve(
    [
        Route('/open', open_chat, methods=['POST']),
        Route('/{chat:int}/threads/{thread}/runs/stream', run, methods=['POST']),
        Route('/state/{chat:int}', state),
        Route('/seen/{chat:int}', seen),
    ]
)
