/**
 * The id of a heading, as GitHub makes it, so that a link to a section works there and on the site. Punctuation is
 * removed, and blanks become hyphens.
 */
export const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
