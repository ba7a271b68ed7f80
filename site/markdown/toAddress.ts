/**
 * Returns the target of a guide's link on the site: `/docs/listings#files` for `listings.md#files`. URLs of other hosts
 * and fragments are unchanged; a file that is not a guide has a page of its name at the root.
 */
export function toAddress(link: string, notGuides: ReadonlySet<string>): string {
  if (/^[a-z]+:|^#|^\//.test(link)) return link;
  const [, name = '', fragment = ''] = /^(?:[^#]*\/)?([^#/]*?)(?:\.md)?(#.*)?$/.exec(link) ?? [];
  return notGuides.has(name) ? `/${name}${fragment}` : `/docs/${name}${fragment}`;
}
