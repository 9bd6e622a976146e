/**
 * Names and titles of tools. The name identifies the tool that runs; a title is untrusted text, so the name is always
 * shown beside it.
 */
import type { ToolPart } from '../types/index.js';
import { toolNameOf } from '../types/tool-part.js';
import { brief } from '../describe/brief.js';

/** Maximum characters of a title and of a name in one line. */
const TITLE = 60;
const NAME = 100;

/** The title of a call's tool, if it differs from the name. */
export function titleOf(part: ToolPart): string | undefined {
  return part.title && part.title !== toolNameOf(part) ? part.title : undefined;
}

/** A tool's name in one line. */
export const briefName = (name: string): string => brief(name, NAME);

/** A call's tool in one line, for labels and announcements: its title, and its name in brackets. */
export function labelOf(part: ToolPart): string {
  const title = titleOf(part);
  return title === undefined ? briefName(toolNameOf(part)) : `${brief(title, TITLE)} (${briefName(toolNameOf(part))})`;
}
