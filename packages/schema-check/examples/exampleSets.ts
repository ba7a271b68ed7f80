import { buildSchema, parse, print } from 'graphql';
import type { Change, ChangeKind } from '../src/Change.ts';
import { diffApi } from '../src/graph/diffApi.ts';
import { diffNullability } from '../src/graph/diffNullability.ts';
import { findUsage, type Usage } from '../src/graph/findUsage.ts';
import { diffGuards } from '../src/guards/diffGuards.ts';
import { directiveGuards, federationGuards } from '../src/guards/directiveGuards.ts';
import { diffOpenApi } from '../src/rest/diffOpenApi.ts';
import { checkFiles } from './checkFiles.ts';
import { type DocumentPlant, documentExamples } from './documentExamples.ts';
import type { Example } from './Example.ts';
import { type GraphPlant, graphExamples } from './graphExamples.ts';
import { type GuardPlant, guardExamples } from './guardExamples.ts';
import { type RoutePlant, routeExamples } from './routeExamples.ts';
import { traitExamples } from './traitExamples.ts';
import { type ValuePlant, valueExamples } from './valueExamples.ts';

/** A text of an example, as a page shows it. */
export interface Shown {
  readonly language: 'graphql' | 'json';
  readonly text: string;
}

/** A change of an example. */
export interface Planted {
  readonly before: readonly Shown[];
  readonly after: readonly Shown[];
  /** Returns the changes that the check reports; null if only a guard language of a project reports them. */
  readonly check: (() => Promise<readonly Change[]>) | null;
}

/** An example of a kind: a change that is reported with this path, and a similar one that is not. */
export interface KindExample {
  readonly kind: ChangeKind;
  readonly path: string;
  readonly caught: Planted;
  readonly passed: Planted;
}

const everything: Usage = { usesField: () => true, usesType: () => true };
const guards = directiveGuards({ ...federationGuards, public: 'public', required: true });

/** All examples. */
export const kindExamples: readonly KindExample[] = [
  ...toKindExamples(documentExamples, plantDocuments),
  ...toKindExamples(graphExamples, plantGraph),
  ...toKindExamples(guardExamples, (plant) => plantGuards(plant, checkGuards)),
  ...toKindExamples(traitExamples, (plant) => plantGuards(plant, null)),
  ...toKindExamples(routeExamples, plantRoutes),
  ...toKindExamples(valueExamples, plantValue).map((example) => ({
    ...example,
    path: `${isRequest(example.kind) ? 'POST /a body' : 'POST /a 200'}${example.path}`,
  })),
];

function toKindExamples<Plant>(
  examples: Readonly<Record<string, readonly Example<Plant>[]>>,
  toPlanted: (plant: Plant, kind: ChangeKind) => Planted,
): KindExample[] {
  return (Object.entries(examples) as [ChangeKind, readonly Example<Plant>[]][]).flatMap(([kind, list]) =>
    list.map(({ path, caught, passed }) => ({
      kind,
      path,
      caught: toPlanted(caught, kind),
      passed: toPlanted(passed, kind),
    })),
  );
}

function plantDocuments([before, after]: DocumentPlant): Planted {
  const show = (files: DocumentPlant[0], others: DocumentPlant[0]) =>
    Object.entries(files)
      .filter(([file, text]) => text !== others[file])
      .map(([file, text]) => ({
        language: 'graphql' as const,
        text: `# ${file}\n${definitionsBeyond(others[file], text)}`,
      }));
  return {
    before: show(before, after),
    after: show(after, before),
    check: () => checkFiles(before, after),
  };
}

/** Returns the definitions of a text that another one does not contain, so that a page shows only what differs. */
function definitionsBeyond(other: string | undefined, text: string): string {
  const known = new Set(other === undefined ? [] : parse(other).definitions.map(print));
  return parse(text)
    .definitions.map(print)
    .filter((definition) => !known.has(definition))
    .join('\n\n');
}

function plantGraph([before, after, ...operations]: GraphPlant): Planted {
  const base = buildSchema(before);
  const usage = operations.length > 0 ? findUsage(base, operations) : everything;
  const sent = operations.map((text) => ({
    language: 'graphql' as const,
    text: `# An operation that clients send.\n${formatGraphql(text)}`,
  }));
  return {
    before: [graphql(before), ...sent],
    after: [graphql(after)],
    check: async () => {
      const next = buildSchema(after);
      return [...diffApi(base, next, usage), ...diffNullability(base, next, () => true)];
    },
  };
}

function plantGuards([before, after]: GuardPlant, check: typeof checkGuards | null): Planted {
  return {
    before: [graphql(before)],
    after: [graphql(after)],
    check: check && (async () => check([before, after])),
  };
}

function checkGuards([before, after]: GuardPlant): Change[] {
  const build = (sdl: string) => buildSchema(sdl, { assumeValidSDL: true });
  return diffGuards(build(before), build(after), guards);
}

function plantRoutes([before, after]: RoutePlant): Planted {
  const [base, next] = [{ paths: before }, { paths: after }];
  return {
    before: [json(base)],
    after: [json(next)],
    check: async () => diffOpenApi(base, next),
  };
}

/** Plants a schema as the body of a request or response. A page shows only the schema. */
function plantValue([before, after]: ValuePlant, kind: ChangeKind): Planted {
  const pathsOf = (schema: object) => {
    const body = { content: { 'application/json': { schema } } };
    return { '/a': { post: isRequest(kind) ? { requestBody: body } : { responses: { 200: body } } } };
  };
  const { check } = plantRoutes([pathsOf(before), pathsOf(after)]);
  return { before: [json(before)], after: [json(after)], check };
}

function isRequest(kind: ChangeKind): boolean {
  return kind.startsWith('request-');
}

function graphql(text: string): Shown {
  return { language: 'graphql', text: formatGraphql(text) };
}

/** Formats a text; one that cannot be parsed is shown as it is. */
function formatGraphql(text: string): string {
  try {
    return print(parse(text));
  } catch {
    return text;
  }
}

function json(value: object): Shown {
  return { language: 'json', text: JSON.stringify(value, null, 2) };
}
