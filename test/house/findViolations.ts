import { createRequire, registerHooks } from 'node:module';
import type { ICruiseResult } from 'dependency-cruiser';
import { type Boundary, boundaries } from './rules.ts';

/** An import or a folder that breaks a rule. */
export interface Violation {
  readonly rule: string;
  readonly from: string;
  /** Imported file or module, or the other folders of a circle. */
  readonly to: string;
}

const folders = [
  'app',
  'bin',
  'embedded-db',
  'packages',
  'rest-facade',
  'router',
  'schema',
  'site',
  'subgraphs',
];

/** Tests and their helpers can import anything. Generated types import the records of every folder. */
const exclude = '\\.test\\.ts$|/fixture/|^packages/[^/]+/test/|\\.generated\\.ts$';

/** The rule that is about folders, not about single imports. */
export const circle = 'folders-form-no-circle';

// dependency-cruiser reads TypeScript with its programming interface, which version 7 does not have. The package `client`
// is built with version 5.
const client = createRequire(new URL('../../packages/client/package.json', import.meta.url));
const typescript5 = new Map(
  ['typescript', 'typescript/package.json'].map((specifier) => [specifier, client.resolve(specifier)]),
);
registerHooks({
  resolve: (specifier, context, next) => next(typescript5.get(specifier) ?? specifier, context),
});

/**
 * Reads the imports of every file of the product, and returns those that break a rule of `rules.ts` and folders that
 * import each other in a circle. Imports of types count.
 *
 * @param root folder that holds the product
 */
export async function findViolations(root: string): Promise<Violation[]> {
  const { cruise } = await import('dependency-cruiser');
  const { output } = await cruise(folders, {
    baseDir: root,
    exclude,
    doNotFollow: 'node_modules',
    tsPreCompilationDeps: true,
    metrics: true,
    validate: true,
    ruleSet: {
      forbidden: [
        { name: circle, severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
        ...boundaries.map(toRule),
      ],
    },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle?.map(({ name }) => name).join(' > ') ?? to,
  }));
}

function toRule({ name, from, to }: Boundary) {
  return { name, severity: 'error' as const, from: { path: from }, to: { path: to } };
}
