"""AWS Strands Agents behind their AG-UI adapter, with a scripted model."""

import json

from ag_ui_strands import StrandsAgent, StrandsAgentConfig, ToolBehavior, add_strands_fastapi_endpoint
from fastapi import FastAPI
from strands import Agent, tool
from strands.models import Model

from scripts import TOOLS, Lines, asks, serve


class Scripted(Model):
    """A model that streams the replies of a script."""

    def __init__(self, script):
        self.script = script

    def update_config(self, **_config):
        pass

    def get_config(self):
        return {'model_id': 'scripted'}

    async def structured_output(self, *_args, **_kwargs):
        raise NotImplementedError
        yield

    async def stream(self, messages, *_args, **_kwargs):
        reply = self.script.next(lines(messages))
        yield {'messageStart': {'role': 'assistant'}}
        if 'text' in reply:
            yield {'contentBlockStart': {'start': {}}}
            for piece in (reply['text'][:2], reply['text'][2:]):
                yield {'contentBlockDelta': {'delta': {'text': piece}}}
            yield {'contentBlockStop': {}}
        for call in reply.get('calls', []):
            arguments = json.dumps({'path': call['path']})
            yield {'contentBlockStart': {'start': {'toolUse': {'name': call['tool'], 'toolUseId': call['id']}}}}
            for piece in (arguments[:5], arguments[5:]):
                yield {'contentBlockDelta': {'delta': {'toolUse': {'input': piece}}}}
            yield {'contentBlockStop': {}}
        yield {'messageStop': {'stopReason': 'tool_use' if 'calls' in reply else 'end_turn'}}


def lines(messages):
    found = Lines()
    for message in messages:
        for block in message['content']:
            if 'text' in block:
                found.text('user' if message['role'] == 'user' else 'text', block['text'])
            elif 'toolUse' in block:
                used = block['toolUse']
                found.call(used['toolUseId'], used['name'], used['input'])
            elif 'toolResult' in block:
                result = block['toolResult']
                found.result(result['toolUseId'], ''.join(part.get('text', '') for part in result['content']))
            else:
                found.text('other', ' '.join(block))
    return found.lines


def tool_of(script, name):
    @tool(name=name, description=name)
    def act(path: str) -> str:
        return script.run(name, path)

    return act


app = FastAPI()


def open_chat(number, script, options):
    agent = Agent(model=Scripted(script), tools=[tool_of(script, name) for name in TOOLS], callback_handler=None)
    behaviours = {name: ToolBehavior(interrupt_on_call=True) for name in TOOLS if asks(name)}
    config = StrandsAgentConfig(tool_behaviors=behaviours, **options)
    add_strands_fastapi_endpoint(app, StrandsAgent(agent, name='agent', config=config), f'/ag-ui/{number}')


serve(app, open_chat)
