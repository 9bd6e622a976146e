"""Agno behind the AG-UI interface of its AgentOS, with a scripted model."""

import json
from dataclasses import dataclass, field
from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.os.interfaces.agui import AGUI
from agno.tools import Function
from fastapi import FastAPI

from scripts import TOOLS, Lines, asks, serve


@dataclass
class Scripted(Model):
    """A model that streams the replies of a script."""

    id: str = 'scripted'
    script: Any = field(default=None, repr=False)

    def invoke(self, *_args, **_kwargs):
        raise NotImplementedError('this model streams')

    ainvoke = invoke_stream = _parse_provider_response = _parse_provider_response_delta = invoke

    async def ainvoke_stream(self, messages, *_args, **_kwargs):
        reply = self.script.next(lines(messages))
        text = reply.get('text', '')
        for piece in (text[:2], text[2:]):
            if piece:
                yield ModelResponse(role='assistant', content=piece)
        if 'calls' in reply:
            made = [
                {'id': call['id'], 'type': 'function', 'function': {'name': call['tool'], 'arguments': json.dumps({'path': call['path']})}}
                for call in reply['calls']
            ]
            yield ModelResponse(role='assistant', tool_calls=made)


def lines(messages):
    found = Lines()
    for message in messages:
        if message.role == 'tool':
            found.result(message.tool_call_id, str(message.content))
            continue
        if message.content:
            kind = {'user': 'user', 'assistant': 'text'}.get(message.role, 'other')
            found.text(kind, message.content)
        for call in message.tool_calls or []:
            found.call(call['id'], call['function']['name'], call['function']['arguments'])
    return found.lines


def tool_of(script, name):
    async def act(path: str) -> str:
        """A tool.

        Args:
            path: The path.
        """
        return script.run(name, path)

    act.__name__ = name
    function = Function.from_callable(act, name=name)
    function.requires_confirmation = asks(name)
    return function


app = FastAPI()


def open_chat(number, script, options):
    agent = Agent(
        model=Scripted(script=script),
        tools=[tool_of(script, name) for name in TOOLS],
        db=InMemoryDb(),
        add_history_to_context=True,
        telemetry=False,
        retries=0,
        **options,
    )
    # The interface's route is `<prefix>/agui`.
    app.include_router(AGUI(agent=agent, prefix=f'/ag-ui/{number}').get_router())


serve(app, open_chat)
