"""Google's ADK behind its own API server (`/run_sse`), with scripted models.

`POST /script` receives the replies of a model, creates an app and replies with its name. `GET /seen/<app>` returns the
tools that ran and the messages that the model received. All other routes are ADK's.
"""

import asyncio
import json
import socket
import sys
import tempfile
from typing import Any, AsyncGenerator

import uvicorn
from google.adk.agents import LlmAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.cli.fast_api import get_fast_api_app
from google.adk.cli.utils.base_agent_loader import BaseAgentLoader
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.tools import FunctionTool
from google.genai import types
from starlette.requests import Request
from starlette.responses import JSONResponse


class Scripted(BaseLlm):
    """A scripted model: returns its replies one after the other."""

    replies: list[dict[str, Any]]
    seen: list[Any]
    ids: bool

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        self.seen.append([content.model_dump(mode='json', exclude_none=True) for content in llm_request.contents])
        at = len(self.seen) - 1
        if at >= len(self.replies):
            raise RuntimeError('the model was called more often than expected')
        reply = self.replies[at]
        if 'error' in reply:
            raise RuntimeError(reply['error'])
        if 'text' in reply:
            text = reply['text']
            if stream:
                for half in (text[: len(text) // 2], text[len(text) // 2 :]):
                    yield LlmResponse(content=types.Content(role='model', parts=[types.Part(text=half)]), partial=True)
            yield LlmResponse(content=types.Content(role='model', parts=[types.Part(text=text)]), partial=False, turn_complete=True)
            return
        calls = [types.FunctionCall(name=call['tool'], args={'path': call['path']}, id=call['id'] if self.ids else None) for call in reply['calls']]
        yield LlmResponse(content=types.Content(role='model', parts=[types.Part(function_call=call) for call in calls]), partial=False)


class Script:
    """One app: an agent with its model and its tools."""

    def __init__(self, name: str, replies: list[dict[str, Any]], ids: bool, resumable: bool) -> None:
        self.ran: list[str] = []
        self.seen: list[Any] = []

        def tool(tool_name: str, asks: bool) -> FunctionTool:
            async def act(path: str) -> str:
                self.ran.append(f'{tool_name} {path}')
                if path == '/slow':
                    await asyncio.sleep(0.4)
                return f'{tool_name} {path}: done'

            act.__name__ = tool_name
            act.__doc__ = f'The tool {tool_name}.'
            return FunctionTool(act, require_confirmation=asks)

        tools = [tool('read', False), tool('remove', True), tool('send', True)]
        model = Scripted(model='scripted', replies=replies, seen=self.seen, ids=ids)
        # pydantic copies lists. Setting the list afterwards lets the model write into ours.
        model.seen = self.seen
        agent = LlmAgent(name='agent', model=model, tools=tools)
        self.app = App(name=name, root_agent=agent, resumability_config=ResumabilityConfig(is_resumable=True) if resumable else None)


SCRIPTS: dict[str, Script] = {}


class Loader(BaseAgentLoader):
    """Finds an app by its name."""

    def load_agent(self, agent_name: str) -> App:
        if agent_name not in SCRIPTS:
            raise ValueError(agent_name)
        return SCRIPTS[agent_name].app

    def list_agents(self) -> list[str]:
        return sorted(SCRIPTS)


async def script(request: Request) -> JSONResponse:
    body = await request.json()
    name = body.get('name') or f'app{len(SCRIPTS)}'
    SCRIPTS[name] = Script(name, body['replies'], body.get('ids', False), body.get('resumable', False))
    return JSONResponse(name)


async def seen(request: Request) -> JSONResponse:
    found = SCRIPTS[request.path_params['name']]
    return JSONResponse({'ran': found.ran, 'seen': found.seen})


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = get_fast_api_app(agents_dir=folder, agent_loader=Loader(), session_service_uri='memory://', artifact_service_uri='memory://', web=False)
        app.add_route('/script', script, methods=['POST'])
        app.add_route('/seen/{name}', seen)
        listener = socket.socket()
        listener.bind(('127.0.0.1', 0))
        # Clients that connect before the server has started wait.
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_level='critical', lifespan='on'))
        running = asyncio.create_task(server.serve(sockets=[listener]))
        print(listener.getsockname()[1], flush=True)
        # The test is over when the standard input is closed.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        server.should_exit = True
        await running


if __name__ == '__main__':
    asyncio.run(main())
