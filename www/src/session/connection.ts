/**
 * How a chat reaches its backend: one inside this page, or one behind HTTP. It knows addresses and requests, but not
 * approvals.
 */
import { embeddedFetch } from '../backend/embedded-fetch';
import { createBackend } from '../backend/handler';
import { scriptedModel, type Pace } from '../backend/model';
import type { RecordSource } from '../backend/record';
import { scriptOf, type Scenario } from '../scenarios/index';
import { RemoteRecord, type Changes } from './remote-record';

/** Where the backend is, and how fast the scripted model writes. */
export interface SessionSettings {
  /** `embedded`: in this page. Otherwise the path that the server's addresses begin with, such as `/api`. */
  backend: string;
  pace: 'natural' | 'instant';
}

const PACES: Readonly<Record<SessionSettings['pace'], Pace>> = {
  natural: { word: 28, tool: 700 },
  instant: { word: 0, tool: 0 },
};

/** The connection of one chat. */
export interface Connection {
  /** The address for the chat's requests. */
  api: string;
  /** The `fetch` for the requests. */
  network: typeof fetch;
  /** The backend's record. Its copy is refreshed whenever one of `changes` notifies. */
  record(changes: readonly Changes[]): RecordSource;
  /** Lets the backend continue its reply when this page stops listening because it shows another chat. */
  leave(): void;
  /** Deletes the chat at the backend. */
  forget(): Promise<void>;
}

/** The connection to a new backend inside this page. The backend ends with the page. */
export function embedded(scenario: Scenario, settings: SessionSettings): Connection {
  const pace = PACES[settings.pace];
  const backend = createBackend({
    model: scriptedModel(scriptOf(scenario), pace),
    modelName: 'scripted, in this page',
    files: scenario.files,
    pace,
    faults: scenario.faults,
  });
  return {
    api: '/api/chat',
    network: embeddedFetch(backend),
    record: () => backend.recorder,
    leave: () => undefined,
    forget: () => Promise.resolve(),
  };
}

/** Connects the chat with this id to a backend over HTTP. */
export function remote(id: string, scenario: Scenario, settings: SessionSettings): Connection {
  const base = settings.backend;
  let stays = true;
  return {
    api: `${base}/chat?${beginning(scenario, settings)}`,
    network: (input, init) => {
      // A closed connection does not mean stop, because the page may be reloading. The user's Stop is therefore a
      // separate request.
      init?.signal?.addEventListener('abort', () => {
        if (stays)
          void fetch(`${base}/stop?id=${encodeURIComponent(id)}`, { method: 'POST', keepalive: true }).catch(
            () => undefined,
          );
      });
      return fetch(input, init);
    },
    record: (changes) => new RemoteRecord(recordUrl(id, settings), scenario.files, changes),
    leave: () => {
      stays = false;
    },
    forget: async () => void (await fetch(recordUrl(id, settings), { method: 'DELETE' }).catch(() => undefined)),
  };
}

/** Whether the backend behind HTTP still has the chat. */
export async function knows(id: string, settings: SessionSettings): Promise<boolean> {
  return (await (await fetch(recordUrl(id, settings))).json()) !== null;
}

/** Starts the chat at the backend behind HTTP. */
export async function begin(id: string, scenario: Scenario, settings: SessionSettings): Promise<void> {
  await fetch(`${recordUrl(id, settings)}&${beginning(scenario, settings)}`, { method: 'PUT' });
}

const recordUrl = (id: string, { backend }: SessionSettings): string =>
  `${backend}/record?id=${encodeURIComponent(id)}`;

const beginning = (scenario: Scenario, { pace }: SessionSettings): string =>
  `scenario=${encodeURIComponent(scenario.id)}&pace=${pace}`;
