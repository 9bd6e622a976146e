"""Graphs for LangGraph's dev server. The tools of `graph` call `interrupt()`, several at once if the model calls several;
the middleware of `reviewed` asks about a step."""

import os

import httpx
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt

host = os.environ['RIG_HOST']


def tool(name, asks):
    def act(path: str) -> str:
        if path == '/ask':
            path = interrupt('Where to?')
        elif asks:
            request = {'action_request': {'action': name, 'args': {'path': path}}}
            answer = interrupt([{**request, 'config': {'allow_accept': True, 'allow_respond': True, 'allow_ignore': True}}])[0]
            if answer['type'] != 'accept':
                return f'Not executed: {answer["args"] or "denied"}'
        return httpx.post(f'{host}/run', json={'tool': name, 'path': path}).text

    return StructuredTool.from_function(act, name=name, description=name)


model = ChatOpenAI(model='m', base_url=f'{host}/v1', api_key='none', max_retries=0, use_responses_api=False)
graph = create_agent(model, [tool('read', False), tool('remove', True), tool('send', True)])
reviewed = create_agent(
    model,
    [tool(name, False) for name in ('read', 'remove', 'send')],
    middleware=[HumanInTheLoopMiddleware({'remove': True, 'send': True})],
)
