"""Code that the AG-UI servers of this folder share: the script of one chat, and the routes of every server.

`POST /open` starts a chat with a list of replies and options, and replies with its number. AG-UI clients send runs to
`POST /ag-ui/<n>`. `GET /seen/<n>` returns the tools that ran and the messages that the model received.
"""

import json

from serving import serve_app
from starlette.responses import JSONResponse

TOOLS = ('read', 'remove', 'send')


def asks(name):
    """Whether a tool needs approval."""
    return name != 'read'


class Script:
    """One chat: the replies of its model that are left, the tools that ran, and every prompt."""

    def __init__(self, replies):
        self.replies = list(replies)
        self.ran = []
        self.prompts = []

    def run(self, name, path):
        """Runs a tool."""
        self.ran.append(f'{name} {path}')
        return f'{name} {path}: done'

    def next(self, prompt):
        """Returns the next reply of the model. Raises if it is an error, or if there is none."""
        self.prompts.append(list(prompt))
        if not self.replies:
            raise RuntimeError('the script has no more replies')
        reply = self.replies.pop(0)
        if 'error' in reply:
            raise RuntimeError(reply['error'])
        return reply


class Lines:
    """The messages that a model received, as the lines that rig.ts defines."""

    def __init__(self):
        self.lines = []
        self.calls = {}

    def text(self, kind, text):
        self.lines.append({'kind': kind, 'text': text})

    def call(self, call_id, name, arguments):
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
        self.calls[call_id] = f'{name} {given["path"]}'
        self.lines.append({'kind': 'call', 'call': self.calls[call_id]})

    def result(self, call_id, text):
        self.lines.append({'kind': 'result', 'text': text, 'call': self.calls.get(call_id)})


def serve(app, open_chat):
    """Serves a FastAPI or Starlette app until standard input ends. The port is the first line of the output.

    `open_chat(number, script, options)` adds the AG-UI endpoint of a chat to the app, at the path `/ag-ui/<number>`.
    """
    scripts = []

    async def opened(request):
        body = await request.json()
        scripts.append(Script(body['replies']))
        open_chat(len(scripts) - 1, scripts[-1], body.get('options') or {})
        return JSONResponse(len(scripts) - 1)

    async def seen(request):
        script = scripts[request.path_params['chat']]
        return JSONResponse({'ran': script.ran, 'prompts': script.prompts})

    app.add_route('/open', opened, methods=['POST'])
    app.add_route('/seen/{chat:int}', seen, methods=['GET'])
    serve_app(app)
