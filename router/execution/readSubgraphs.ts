import { type ConstDirectiveNode, type DocumentNode, Kind, visit } from 'graphql';

/** A subgraph as the supergraph states it. */
export interface StatedSubgraph {
  readonly name: string;
  /** URL; empty if the composition had none. */
  readonly url: string;
}

/** Reads `enum join__Graph { IDENTITY @join__graph(name: "identity", url: "…") }`. */
export function readSubgraphs(document: DocumentNode): StatedSubgraph[] {
  const subgraphs: StatedSubgraph[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== 'join__Graph') continue;
    for (const value of definition.values ?? []) {
      const directive = value.directives?.find((node) => node.name.value === 'join__graph');
      const name = directive && textArgument(directive, 'name');
      if (directive && name !== undefined)
        subgraphs.push({ name, url: textArgument(directive, 'url') ?? '' });
    }
  }
  return subgraphs;
}

/** Features that a router must know, by the address of their specification without its version, that this one does. */
const known = new Set(
  ['link', 'core', 'join', 'inaccessible'].map((name) => `https://specs.apollo.dev/${name}`),
);

/**
 * Refuses a supergraph with unsupported features, which would be executed wrongly without a visible error. A supergraph
 * states the features that a router must support (`@link(for: EXECUTION)`, `for: SECURITY`), and a guard that is not
 * enforced admits all callers.
 *
 * @throws Error that names the feature
 */
export function assertSupported(document: DocumentNode): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue;
    for (const directive of definition.directives ?? []) assertFeature(directive);
  }
  visit(document, {
    Directive({ name, arguments: given }) {
      if (name.value !== 'join__field') return;
      if (given?.some((argument) => argument.name.value === 'contextArguments')) throw contextRefusal();
      const label = given?.find((argument) => argument.name.value === 'overrideLabel')?.value;
      if (label?.kind === Kind.STRING) throw progressiveOverrideRefusal(label.value);
    },
  });
}

function assertFeature(directive: ConstDirectiveNode): void {
  const url = textArgument(directive, 'url') ?? textArgument(directive, 'feature');
  if (url === undefined) return;
  const feature = url.replace(/\/v[\d.]+$/, '');
  if (feature === 'https://specs.apollo.dev/context') throw contextRefusal();
  const purpose = directive.arguments?.find(({ name }) => name.value === 'for')?.value;
  if (purpose?.kind !== Kind.ENUM || known.has(feature)) return;
  throw new Error(
    `The supergraph uses ${url} for ${purpose.value.toLowerCase()}, which a router must know and this one does not: ` +
      'compose the subgraphs without it.',
  );
}

function contextRefusal(): Error {
  return new Error(
    'The supergraph uses @context and @fromContext, which the query planner does not know: ' +
      'compose the subgraphs with @requires instead.',
  );
}

function progressiveOverrideRefusal(label: string): Error {
  return new Error(
    `The supergraph uses progressive @override (label: ${JSON.stringify(label)}), which this router does not plan: ` +
      'compose the subgraphs without the label.',
  );
}

function textArgument({ arguments: given }: ConstDirectiveNode, name: string): string | undefined {
  const value = given?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}
