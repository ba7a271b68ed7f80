import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  buildSchema,
  getOperationAST,
  KnownDirectivesRule,
  NoUnusedFragmentsRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { errorCodes } from '../schema/errorCodes.ts';
import type { Components } from '../schema/openapi/JsonSchema.ts';
import { requestSchema } from '../schema/openapi/requestOf.ts';
import { bindRoutes } from '../schema/route/bindRoutes.ts';
import { withRestRoot } from '../schema/route/pathTemplate.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import { guideOutputs } from './markdown/guideOutputs.ts';
import { exampleCall } from './routes/exampleCall.ts';
import { Site } from './Site.ts';
import { assetNames } from './siteAssets.ts';
import { stateTables } from './states/stateTables.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const contract = {
  api: buildSchema(read('schema/api.graphql')),
  supergraph: buildSchema(read('schema/supergraph.graphql')),
};
const site = new Site(bindRoutes(readRoutes(), contract), '/api/rest');
const pages = new Map(site.paths.map((at) => [at, site.render(at) ?? '']));

/** Paths outside of the documentation that it may link to. */
const elsewhere = /^\/(?:graphiql|api\/|docs\/openapi\/|account\/)/;

test('every link within the documentation leads to an existing page and anchor', () => {
  const lost: string[] = [];
  for (const [at, html] of pages) {
    for (const [, link = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?:|mailto:|data:)/.test(link) || elsewhere.test(link)) continue;
      const { pathname, hash } = new URL(link, `http://site.test${at}`);
      const asset = pathname.slice('/docs/'.length);
      if (pathname.startsWith('/docs/') && assetNames.includes(asset)) continue;
      const target = pages.get(pathname);
      const fragment = decodeURIComponent(hash.slice(1));
      if (target === undefined) lost.push(`${at}: ${link}`);
      else if (fragment !== '' && !fragment.startsWith('/') && !target.includes(` id="${fragment}"`))
        lost.push(`${at}: ${link} (no such place)`);
    }
  }
  expect(lost).toEqual([]);
});

test('no page contains an inline script or style, or loads a resource from another host', () => {
  for (const [at, html] of pages) {
    expect([at, html.match(/<script(?! src="\/)|<style| style=| on\w+="|src="(?!\/)/g)]).toEqual([at, null]);
  }
});

test('every page has one h1, and every id on it is unique', () => {
  for (const [at, html] of pages) {
    expect([at, html.match(/<h1/g)?.length]).toEqual([at, 1]);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect([at, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([at, []]);
  }
});

/** Examples of the guides in a language, with the file of each. Guides for contributors show other schemas. */
function examplesIn(language: string): [file: string, example: string][] {
  return globSync('docs/{how-to,reference,explanation,tutorials}/*.md', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
      ([, example = '']): [string, string] => [file, example],
    ),
  );
}

test('every GraphQL example of the guides is valid for the schema', () => {
  // Relay's compiler defines further directives, and a fragment can stand alone.
  const rules = specifiedRules.filter(
    (rule) => rule !== KnownDirectivesRule && rule !== NoUnusedFragmentsRule,
  );
  const examples = examplesIn('graphql');
  expect(examples.length).toBeGreaterThan(5);
  for (const [file, example] of examples)
    expect([file, validate(contract.api, parse(example), rules)]).toEqual([file, []]);
});

test('every JSON example of the guides can be parsed', () => {
  const examples = examplesIn('json');
  expect(examples.length).toBeGreaterThan(3);
  for (const [, example] of examples) expect(() => JSON.parse(example)).not.toThrow();
});

test('every error code has a page with its status', () => {
  for (const [code, status] of Object.entries(errorCodes))
    expect(pages.get(`/problems/${code}`)).toContain(`HTTP status ${status}`);
});

test('every generated page of a guide is up to date with its Markdown', () => {
  const outputs = guideOutputs(root);
  expect(outputs.length).toBeGreaterThan(25);
  for (const { file, text } of outputs) expect([file, read(file) === text]).toEqual([file, true]);
});

test('the search index contains every page and every heading of the guides', () => {
  const found = site.sections().map((section) => `/${section.path}`);
  expect(found).toEqual(expect.arrayContaining([...pages.keys()]));
  expect(found).toContain('/docs/cors#tokens-and-cookies');
  expect(new Set(found).size).toBe(found.length);
});

test.each(stateTables.map((table) => [table.name, table] as const))(
  'the drawing of %s shows every state and an arrow for each transition',
  (name, { ways }) => {
    const svg = read(`docs/reference/states/${name}.svg`);
    for (const { from, to } of ways)
      expect([from, to].filter((state) => !svg.includes(`>${state}</text>`))).toEqual([]);
    const arrows = new Set(ways.map(({ from, to }) => `${from} ${to}`));
    // A further arrow leads to the first state.
    expect(svg.match(/class="edge"/g)).toHaveLength(arrows.size + 1);
    expect(svg).not.toMatch(/"black"|<script/);
  },
);

describe('the documentation of routes', () => {
  const bindings = bindRoutes(readRoutes(), contract);

  test.each(bindings.map((binding) => [`${binding.route.method} ${binding.route.path}`, binding] as const))(
    'has valid example variables and a valid example body for %s',
    (_name, binding) => {
      const { variables, body, path: address } = exampleCall(binding, '/api/rest');
      const operation = getOperationAST(binding.route.document);
      const { errors = [] } = getVariableValues(
        contract.api,
        operation?.variableDefinitions ?? [],
        variables,
      );
      expect(errors.map(({ message }) => message)).toEqual([]);
      expect(address).not.toMatch(/[{}]/);
      const components: Components = {};
      const schema = requestSchema(binding, components);
      if (body === undefined || !schema) return;
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.validate({ ...schema, components: { schemas: components } }, body);
      expect(ajv.errors ?? []).toEqual([]);
    },
  );

  test('contains every route', () => {
    for (const { route } of bindings)
      expect(pages.get(`/docs/routes/${route.tag}`)).toContain(withRestRoot(route.path, '/api/rest'));
  });
});
