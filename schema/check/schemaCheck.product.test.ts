import { sdl, shopRepository } from '../../test/schema-check/shopRepository.ts';

const { edit, write, git, node, checkJson } = shopRepository();

test('npm run schema:check reports a breaking change at its line until it is listed as accepted', () => {
  expect(node('bin/generate.ts')).toMatchObject({ status: 0, stderr: '' });
  git('add', '.');
  git('commit', '--quiet', '-m', 'generated');
  edit(sdl, 'title: String', 'title: Int');
  const { status, changes, staleFiles } = checkJson('--base', 'HEAD');
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  expect(breaking).toMatchObject([
    { id: 'field-type-changed:Listing.title', file: sdl, line: 11 },
    { id: 'response-type-changed:schemas/Listing title' },
  ]);
  expect(status).toBe(1);
  expect(staleFiles).toContain('schema/api.graphql');
  const entries = breaking.map((change) => `- id: ${change.id}\n  reason: it is a number\n`);
  write('schema/accepted-changes.yaml', entries.join(''));
  const accepted = checkJson('--base', 'HEAD');
  expect(accepted).toMatchObject({ status: 0, counts: { breaking: 0, accepted: 2 } });
}, 60_000);
