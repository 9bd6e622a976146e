/**
 * What becomes of a gate's commands while another tab leads: the gate sends nothing, reads nothing, and what the user does is
 * done here at once, for the screen and for errors, and handed on.
 */
import { isAct, type Act, type Command, type CommandOf, type CommandsOf, type CommandTypes } from '../commands.js';
import { encode } from '../encode.js';
import type { Port } from '../keeping.js';
import type { JSONValue } from '../types.js';

type Ignored = CommandsOf<'backend' | 'delivery'> | 'tick';

/** What a follower answers what only the tab that leads can do. */
const IGNORED: { readonly [N in Ignored]: () => ReturnType<CommandTypes[N]> } = {
  receive: () => {},
  streamEnded: () => {},
  load: () => ({ repairs: [] }),
  claim: () => false,
  markSent: () => {},
  markFailed: () => {},
  tick: () => {},
};

/** A gate's front. */
export class Front {
  readonly #port: Port;
  readonly #onAct: (act: JSONValue) => void;
  readonly #remove: () => void;
  #isFollowing = false;

  constructor(port: Port, onAct: (act: JSONValue) => void) {
    this.#port = port;
    this.#onAct = onAct;
    this.#remove = port.commands.use('keeper', (command, next) => this.#take(command, next));
  }

  follow(): void {
    this.#isFollowing = true;
    this.#port.isSilent = true;
  }

  lead(): void {
    this.#isFollowing = false;
    this.#port.isSilent = false;
  }

  /** Nobody keeps the gate any more: it sends nothing, and is as it was otherwise. */
  retire(): void {
    this.#remove();
    this.#port.isSilent = true;
  }

  perform(act: Act): void {
    this.#port.commands.dispatch({ ...act, isForwarded: true } as CommandOf<'stop'>);
  }

  replay(act: Act): void {
    try {
      this.#port.commands.dispatch(act as CommandOf<'stop'>, 'keeper');
    } catch {
      // The tab that leads has decided otherwise.
    }
  }

  #take(command: Command, next: (command: Command) => unknown): unknown {
    if (!this.#isFollowing) return next(command);
    if (Object.hasOwn(IGNORED, command.name)) return IGNORED[command.name as Ignored]();
    if (!isAct(command)) return next(command);
    const { name, args, attached } = command;
    const act = encode({ name, args, attached }, name);
    const result = next(command);
    if (result !== 'duplicate') this.#onAct(act);
    return result;
  }
}
