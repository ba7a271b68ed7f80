import type { InterfaceName } from '../route/Route.ts';

/** Members of an OpenAPI document that are read here; the rest is kept. */
interface Contract {
  readonly info: object;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: readonly Requirement[];
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly 'x-interfaces': Readonly<
    Record<InterfaceName, { readonly title: string; readonly version: string }>
  >;
}

interface Operation {
  readonly tags: readonly string[];
  readonly security?: readonly Requirement[];
  readonly 'x-interface'?: InterfaceName;
}

/** Security schemes by name, each with its scopes. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/** Returns the contract of one interface: its operations, with the tags and components that they use. */
export function onlyInterface<Document extends Contract>(document: Document, name: InterfaceName): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const own = Object.entries(item).filter(([, operation]) => operation['x-interface'] === name);
      return own.length > 0 ? [[path, Object.fromEntries(own)]] : [];
    }),
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => one.tags)),
  );
  const { title, version } = document['x-interfaces'][name];
  return {
    ...document,
    info: { ...document.info, title: `Trigate: ${title}`, version },
    tags: document.tags.filter((tag) => tags.has(tag.name)),
    paths,
    components: mentioned({ paths, security: document.security }, document.components),
  };
}

/**
 * Returns the components that a part of the document refers to, directly or indirectly; security requirements name
 * theirs.
 */
function mentioned(
  part: Pick<Contract, 'paths' | 'security'>,
  components: Contract['components'],
): Contract['components'] {
  const found = new Set<string>();
  const look = (text: string): void => {
    for (const [, group = '', name = ''] of text.matchAll(/"#\/components\/([^/"]+)\/([^/"]+)"/g)) {
      if (found.has(`${group}/${name}`)) continue;
      found.add(`${group}/${name}`);
      look(JSON.stringify(components[group]?.[name]));
    }
  };
  look(JSON.stringify(part.paths));
  const operations = Object.values(part.paths).flatMap((item) => Object.values(item));
  for (const requirement of [part.security, ...operations.map(({ security = [] }) => security)].flat())
    for (const scheme of Object.keys(requirement)) found.add(`securitySchemes/${scheme}`);
  return Object.fromEntries(
    Object.entries(components).map(([group, members]) => [
      group,
      Object.fromEntries(Object.entries(members).filter(([name]) => found.has(`${group}/${name}`))),
    ]),
  );
}
