/**
 * The AI SDK's form of a file in a result. Source: `ToolResultOutput` of `@ai-sdk/provider-utils`. These forms are
 * valid in both `ai` 6 and 7.
 */
export function fileContent(url: string, given: string, filename: unknown): object {
  const [, type, data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(url) ?? [];
  // Some APIs name only the kind.
  const mediaType = given.includes('/') ? given : type || given;
  const kind = /^image/.test(mediaType) ? 'image' : 'file';
  const more = { mediaType, ...(typeof filename === 'string' && { filename }) };
  return data === undefined ? { type: `${kind}-url`, url, ...more } : { type: `${kind}-data`, data, ...more };
}
