"""LlamaIndex's AG-UI server with a tool of its own, `read`, and two of the page, `remove` and `send`.

Its model is on the loopback: the address is the first argument. The port is the first line of the output.
"""

import sys

import httpx
from fastapi import FastAPI
from llama_index.llms.openai_like import OpenAILike
from llama_index.protocols.ag_ui.router import get_ag_ui_workflow_router
from serving import serve_app

host = sys.argv[1]


def read(path: str) -> str:
    """Reads."""
    return httpx.post(f'{host}/run', json={'tool': 'read', 'path': path}).text


def remove(path: str) -> str:
    """Removes, in the page."""
    return ''


def send(path: str) -> str:
    """Sends, in the page."""
    return ''


model = OpenAILike(
    model='m', api_base=f'{host}/v1', api_key='none', is_chat_model=True, is_function_calling_model=True, max_retries=0
)
app = FastAPI()
app.include_router(get_ag_ui_workflow_router(llm=model, frontend_tools=[remove, send], backend_tools=[read]))
serve_app(app)
