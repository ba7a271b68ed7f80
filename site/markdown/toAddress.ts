/**
 * Where a link of a guide leads on the site: `listings.md#files` to `/docs/listings#files`. Addresses of other hosts and
 * fragments stay as they are; a file that is no guide has the page of its name at the root.
 */
export function toAddress(link: string, notGuides: ReadonlySet<string>): string {
  if (/^[a-z]+:|^#|^\//.test(link)) return link;
  const [, name = '', fragment = ''] = /^(?:[^#]*\/)?([^#/]*?)(?:\.md)?(#.*)?$/.exec(link) ?? [];
  return notGuides.has(name) ? `/${name}${fragment}` : `/docs/${name}${fragment}`;
}
