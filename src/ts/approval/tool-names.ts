/**
 * Names and titles of tools. The name identifies the tool that runs; a title is untrusted text, so it is quoted, after
 * the name.
 */
import type { AnyToolPart } from '../describe/call-status.js';
import { toolNameOf } from '../types/tool-part.js';
import { brief } from '../describe/brief.js';

/** Maximum characters of a title and of a name in one line. */
const TITLE = 60;
const NAME = 100;

/** The title of a call's tool, if it differs from the name. */
export function titleOf(part: AnyToolPart): string | undefined {
  return part.title && part.title !== toolNameOf(part) ? part.title : undefined;
}

/** A tool's name in one line. */
export const briefName = (name: string): string => brief(name, NAME);

/** A call's tool in one line, for labels and announcements: its name, and what it calls itself. */
export function labelOf(part: AnyToolPart): string {
  const title = titleOf(part);
  return title === undefined
    ? briefName(toolNameOf(part))
    : `${briefName(toolNameOf(part))} (“${brief(title, TITLE)}”)`;
}
