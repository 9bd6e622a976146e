"""Google's ADK behind the AG-UI middleware `ag-ui-adk`, with a scripted model."""

from typing import Any

from ag_ui_adk import ADKAgent, add_adk_fastapi_endpoint
from fastapi import FastAPI
from google.adk.agents import LlmAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.models import BaseLlm, LlmResponse
from google.adk.tools import FunctionTool
from google.genai import types

from scripts import TOOLS, Lines, asks, serve


class Scripted(BaseLlm):
    """A model that returns the replies of a script."""

    script: Any

    async def generate_content_async(self, llm_request, stream=False):
        reply = self.script.next(lines(llm_request.contents))
        if 'text' in reply:
            text = reply['text']
            if stream:
                for piece in (text[:2], text[2:]):
                    yield LlmResponse(content=types.Content(role='model', parts=[types.Part(text=piece)]), partial=True)
            yield LlmResponse(content=types.Content(role='model', parts=[types.Part(text=text)]), partial=False, turn_complete=True)
            return
        calls = [types.FunctionCall(name=call['tool'], args={'path': call['path']}, id=call['id']) for call in reply['calls']]
        yield LlmResponse(content=types.Content(role='model', parts=[types.Part(function_call=call) for call in calls]), partial=False)


def lines(contents):
    """ADK removes the ids of its calls from the model's messages. A result belongs to the first open call of its name."""
    found = Lines()
    opened = []
    for content in contents:
        for part in content.parts:
            if part.text:
                found.text('user' if content.role == 'user' else 'text', part.text)
            elif part.function_call:
                call = part.function_call
                key = call.id or f'{call.name} {len(found.calls)}'
                opened.append((call.name, call.id, key))
                found.call(key, call.name, call.args)
            elif part.function_response:
                response = part.function_response
                place = next((at for at, one in enumerate(opened) if one[:2] == (response.name, response.id)), None)
                key = None if place is None else opened.pop(place)[2]
                value = response.response or {}
                found.result(key, str(value.get('result', value.get('error', value))))
            else:
                found.text('other', str(part))
    return found.lines


def tool_of(script, name):
    async def act(path: str) -> str:
        return script.run(name, path)

    act.__name__ = name
    act.__doc__ = name
    return FunctionTool(act, require_confirmation=asks(name))


app = FastAPI()


def open_chat(number, script, options):
    tools = [tool_of(script, name) for name in TOOLS]
    agent = LlmAgent(name='agent', model=Scripted(model='scripted', script=script), tools=tools)
    resumable = ResumabilityConfig(is_resumable=True) if options.pop('resumable', True) else None
    made = ADKAgent.from_app(
        App(name=f'app{number}', root_agent=agent, resumability_config=resumable),
        user_id='user',
        emit_interrupt_outcome=options.pop('outcome', True),
        **options,
    )
    add_adk_fastapi_endpoint(app, made, path=f'/ag-ui/{number}')


serve(app, open_chat)
