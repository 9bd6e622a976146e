"""The OpenAI Agents SDK behind the requests of docs/backends/openai-agents.md, on the loopback.

`POST /open` starts a chat with a list of replies, and replies with its number. `POST /<n>` takes a message or decisions
and sends the run's events, read to their end also if the client is gone. `GET /seen/<n>` returns the tools that ran and
the messages that the model received.
"""

import asyncio
import json

from agents import Agent, Model, RunState, Runner, function_tool, set_tracing_disabled
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseCreatedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)
from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route

from serving import serve

set_tracing_disabled(True)


class Scripted(Model):
    """A scripted model that streams its replies."""

    def __init__(self, chat):
        self.chat = chat

    async def get_response(self, *_args, **_kwargs):
        raise NotImplementedError('this model streams')

    async def stream_response(self, _system, input, *_args, **_kwargs):
        self.chat.prompts.append(list(lines(input)))
        if not self.chat.replies:
            raise RuntimeError('the script has no more replies')
        reply = self.chat.replies.pop(0)
        if 'error' in reply:
            raise RuntimeError(reply['error'])
        output = [
            ResponseFunctionToolCall(
                type='function_call', call_id=call['id'], name=call['tool'], arguments=json.dumps({'path': call['path']})
            )
            for call in reply.get('calls', [])
        ]
        said = reply.get('text', '')
        if said:
            text = ResponseOutputText(type='output_text', text=said, annotations=[])
            output.append(
                ResponseOutputMessage(id='message', type='message', role='assistant', status='completed', content=[text])
            )
        response = Response(
            id=f'response-{len(self.chat.prompts)}',
            created_at=0,
            model='scripted',
            object='response',
            output=output,
            tools=[],
            tool_choice='auto',
            parallel_tool_calls=True,
        )
        yield ResponseCreatedEvent(type='response.created', response=response, sequence_number=0)
        for place, letter in enumerate(said):
            yield ResponseTextDeltaEvent(
                type='response.output_text.delta',
                content_index=0,
                delta=letter,
                item_id='message',
                output_index=0,
                sequence_number=1 + place,
                logprobs=[],
            )
        yield ResponseCompletedEvent(type='response.completed', response=response, sequence_number=1 + len(said))


def lines(items):
    """The items that the model received, as the lines that rig.ts defines."""
    calls = {}
    for item in [{'role': 'user', 'content': items}] if isinstance(items, str) else items:
        kind = item.get('type', 'message')
        if kind == 'function_call':
            calls[item['call_id']] = f'{item["name"]} {json.loads(item["arguments"])["path"]}'
            yield {'kind': 'call', 'call': calls[item['call_id']]}
        elif kind == 'function_call_output':
            call = calls.get(item['call_id'], f'? {item["call_id"]}')
            yield {'kind': 'result', 'call': call, 'text': text_of(item['output'])}
        elif kind == 'message':
            yield {'kind': 'user' if item['role'] == 'user' else 'text', 'text': text_of(item['content'])}
        else:
            yield {'kind': 'other', 'text': kind}


def text_of(content):
    return content if isinstance(content, str) else ''.join(part.get('text', '') for part in content)


class Chat:
    """One chat: its script, the tools that ran, every prompt, and what the server stores between two requests."""

    def __init__(self, replies):
        self.replies = list(replies)
        self.ran = []
        self.prompts = []
        self.history = []
        self.state = ''
        self.turn = asyncio.Lock()
        tools = [self.tool(name) for name in ('read', 'remove', 'send')]
        self.agent = Agent(name='agent', model=Scripted(self), tools=tools)

    def tool(self, name):
        @function_tool(name_override=name, description_override=name, needs_approval=name != 'read')
        async def run(path: str) -> str:
            self.ran.append(f'{name} {path}')
            if path == '/slow':
                await asyncio.sleep(0.3)
            return f'{name} {path}: done'

        return run

    async def begin(self, body):
        """Starts the run that a request asks for. Raises if it does not answer each approval that waits."""
        if 'decisions' not in body:
            return Runner.run_streamed(self.agent, [*self.history, *map(plain_item, body.get('input', []))])
        state = await RunState.from_string(self.agent, self.state)
        verdicts = {decision['callId']: decision for decision in body['decisions']}
        for item in state.get_interruptions():
            verdict = verdicts[item.raw_item.call_id]
            if verdict['approve']:
                state.approve(item)
            else:
                state.reject(item, rejection_message=verdict.get('message'))
        return Runner.run_streamed(self.agent, state)

    async def run(self, body, said):
        """Runs, puts the events into the queue `said`, and stores the run. The first entry is an error, or `None`."""
        async with self.turn:
            try:
                result = await self.begin(body)
            except Exception as error:  # every error is reported to the client
                said.put_nowait(repr(error))
                return
            said.put_nowait(None)
            try:
                async for event in result.stream_events():
                    written = event_of(event)
                    if written:
                        said.put_nowait(written)
            except Exception as error:  # every error is reported to the client
                said.put_nowait({'type': 'error', 'message': str(error)})
            said.put_nowait({'interruptions': [item_of(item) for item in result.interruptions]})
            self.history = result.to_input_list()
            self.state = result.to_state().to_string()
            said.put_nowait(None)


def plain_item(item):
    """An input item of the SDK in JavaScript, whose texts have the same form here."""
    return {name: value for name, value in item.items() if name in ('type', 'role', 'content')}


def plain(value):
    return value.model_dump() if hasattr(value, 'model_dump') else value


def item_of(item):
    return {'type': item.type, 'raw_item': plain(item.raw_item)}


def event_of(event):
    """The event as JSON, in the SDK's own names."""
    if event.type == 'raw_response_event':
        return {'type': event.type, 'data': plain(event.data)}
    if event.type == 'run_item_stream_event':
        return {'type': event.type, 'name': event.name, 'item': item_of(event.item)}
    return None


chats = []
runs = set()


async def open_chat(request):
    chats.append(Chat((await request.json())['replies']))
    return JSONResponse(len(chats) - 1)


async def post(request):
    said = asyncio.Queue()
    run = asyncio.create_task(chats[request.path_params['chat']].run(await request.json(), said))
    runs.add(run)
    run.add_done_callback(runs.discard)
    refused = await said.get()
    if refused:
        return PlainTextResponse(refused, status_code=500)

    async def stream():
        while event := await said.get():
            yield f'data: {json.dumps(event)}\n\n'

    return StreamingResponse(stream(), media_type='text/event-stream')


async def seen(request):
    chat = chats[request.path_params['chat']]
    return JSONResponse({'ran': chat.ran, 'prompts': chat.prompts})


serve(
    [
        Route('/open', open_chat, methods=['POST']),
        Route('/seen/{chat:int}', seen),
        Route('/{chat:int}', post, methods=['POST']),
    ]
)
