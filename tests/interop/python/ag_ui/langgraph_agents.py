"""A LangChain agent behind the AG-UI adapter `ag-ui-langgraph`, with a scripted model.

With the option `middleware`, approvals are requested by the human-in-the-loop middleware; without it, by tools that call
`interrupt` with the fields of an AG-UI interrupt. The adapter itself can answer one interrupt at a time only: it leaves
the answers to several interrupts to a method that subclasses override.
"""

import json
from typing import Annotated, Any

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import InjectedToolCallId, StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from scripts import TOOLS, Lines, asks, serve

SCHEMA = {
    'type': 'object',
    'properties': {'approved': {'type': 'boolean'}, 'reason': {'type': 'string'}},
    'required': ['approved'],
}


class Scripted(BaseChatModel):
    """A model that streams the replies of a script."""

    script: Any

    @property
    def _llm_type(self):
        return 'scripted'

    def bind_tools(self, *_args, **_kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise NotImplementedError('this model streams')

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        reply = self.script.next(lines(messages))
        for letter in reply.get('text', ''):
            yield ChatGenerationChunk(message=AIMessageChunk(content=letter))
        for index, call in enumerate(reply.get('calls', [])):
            arguments = json.dumps({'path': call['path']})
            first = {'index': index, 'id': call['id'], 'name': call['tool'], 'args': ''}
            rest = {'index': index, 'id': None, 'name': None, 'args': arguments}
            for piece in (first, rest):
                yield ChatGenerationChunk(message=AIMessageChunk(content='', tool_call_chunks=[piece]))


def lines(messages):
    found = Lines()
    for message in messages:
        if message.type == 'tool':
            found.result(message.tool_call_id, message.content)
            continue
        if message.content:
            found.text('user' if message.type == 'human' else 'text', message.content)
        for call in getattr(message, 'tool_calls', []):
            found.call(call['id'], call['name'], call['args'])
    return found.lines


def tool_of(script, name, by_interrupt):
    def act(path: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
        if by_interrupt and asks(name):
            answer = interrupt({'reason': 'tool_call', 'message': f'Run {name}?', 'toolCallId': tool_call_id, 'responseSchema': SCHEMA})
            if not isinstance(answer, dict) or answer.get('approved') is not True:
                reason = answer.get('reason') if isinstance(answer, dict) else None
                return f'Not executed: {reason or "denied"}'
        return script.run(name, path)

    return StructuredTool.from_function(act, name=name, description=name)


class ByInterrupt(LangGraphAgent):
    """Gives each interrupt its own answer."""

    def _build_command_from_agui_resume(self, entries, *, open_interrupts=None):
        return Command(resume={entry.interrupt_id: entry.payload or {'approved': False} for entry in entries})


app = FastAPI()


def open_chat(number, script, options):
    with_middleware = options.pop('middleware', False)
    graph = create_agent(
        Scripted(script=script),
        [tool_of(script, name, not with_middleware) for name in TOOLS],
        middleware=[HumanInTheLoopMiddleware({'remove': True, 'send': True})] if with_middleware else [],
        checkpointer=InMemorySaver(),
    )
    made = (LangGraphAgent if with_middleware else ByInterrupt)(
        name='agent', graph=graph, emit_interrupt_outcome=options.pop('outcome', True), **options
    )
    add_langgraph_fastapi_endpoint(app, made, f'/ag-ui/{number}')


serve(app, open_chat)
