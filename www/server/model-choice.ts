/**
 * Which model the server uses, from the environment:
 *   AI_GATEWAY_API_KEY   through the AI SDK's gateway, which `ai` has built in
 *   OPENAI_API_KEY       through the package `@ai-sdk/openai`
 *   ANTHROPIC_API_KEY    through the package `@ai-sdk/anthropic`
 * `TOOLGATE_DEMO_MODEL` names another model than the default. Without a key, the scripted model answers.
 */
import { gateway } from 'ai';
import type { Model } from '../src/backend/model';

/** A real model, and its name for the record. */
export interface ChosenModel {
  model: Model;
  name: string;
}

/** Chooses a model. Throws if there is a key, but the package that it needs is not installed. */
export async function chooseModel(env: NodeJS.ProcessEnv): Promise<ChosenModel | undefined> {
  const wanted = env['TOOLGATE_DEMO_MODEL'];
  if (env['AI_GATEWAY_API_KEY']) {
    const name = wanted ?? 'openai/gpt-5-mini';
    return { model: gateway(name) as Model, name };
  }
  if (env['OPENAI_API_KEY']) return provider('@ai-sdk/openai', 'openai', wanted ?? 'gpt-5-mini');
  if (env['ANTHROPIC_API_KEY']) return provider('@ai-sdk/anthropic', 'anthropic', wanted ?? 'claude-haiku-4-5');
  return undefined;
}

/** The provider packages are not dependencies of this project: most people never need one. */
async function provider(packageName: string, exported: string, name: string): Promise<ChosenModel> {
  const loaded = (await import(packageName).catch(() => null)) as Record<string, (id: string) => Model> | null;
  const create = loaded?.[exported];
  if (!create)
    throw new Error(`There is a key for ${exported}, but no package for it. Run: npm install --no-save ${packageName}`);
  return { model: create(name), name };
}
