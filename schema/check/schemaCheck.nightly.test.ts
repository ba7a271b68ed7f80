import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { route, sdl, shopRepository } from '../../test/schema-check/shopRepository.ts';

const { directory, environment, git, read, write, edit, node, check, checkJson } = shopRepository();

/** Runs the check beside other commands. */
async function checkBeside(...args: string[]) {
  const options = { cwd: directory, env: environment };
  const child = spawn(process.execPath, ['bin/schemaCheck.ts', ...args], options);
  const [stdout, stderr, [status]] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'exit'),
  ]);
  return { status, stdout, stderr };
}

test('the schema check reports a breaking change until it is listed as accepted', () => {
  // Nothing was generated yet.
  const first = check();
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(/There is nothing to compare with: HEAD.* has no schema\/supergraph\.graphql/);
  expect(first.stdout).toMatch(/Stale: schema\/openapi\.json/);

  expect(node('bin/generate.ts')).toMatchObject({ status: 0, stderr: '' });
  git('add', '.');
  git('commit', '--quiet', '-m', 'generated');
  git('tag', 'v1');
  expect(checkJson('--base', 'v1')).toMatchObject({ status: 0, changes: [], staleFiles: [] });

  // A field that no known operation uses may be removed, and the files on disk are stale until they are generated.
  edit(sdl, '  "Nobody asks."\n  code: String\n', '');
  const unused = checkJson('--base', 'v1');
  expect(unused).toMatchObject({
    status: 0,
    changes: [{ id: 'field-removed:Listing.code', severity: 'dangerous', file: sdl, line: 7 }],
  });
  expect(unused.staleFiles).toContain('schema/api.graphql');

  // A field that a document uses is reported at the document, with its cause.
  edit(route, ' title }', '\n code }');
  expect(check('--base', 'v1').stdout).toMatch(
    new RegExp(`^ {2}document-invalid:${route} +${route}:2 .* Cause: field-removed:Listing\\.code\\.$`, 'm'),
  );
  edit(route, '\n code }', ' title }');

  // Unless a logged operation uses it.
  write('seen.ndjson', '{"document":"{ listing(id: \\"\\") { title code } }"}\n\n');
  const used = checkJson('--base', 'v1', '--operations-log', 'seen.ndjson');
  expect(used).toMatchObject({ status: 1, counts: { breaking: 1 } });
  expect(used.changes[0]).toMatchObject({ id: 'field-removed:Listing.code', severity: 'breaking' });

  // What the route answered with does not.
  edit(sdl, 'title: String', 'title: Int');
  node('bin/generate.ts');
  git('commit', '--quiet', '-a', '-m', 'break it');
  const broken = checkJson();
  expect(broken).toMatchObject({
    status: 1,
    base: { ref: 'HEAD~1' },
    counts: { breaking: 2 },
    staleFiles: [],
  });
  expect(broken.changes[0]).toMatchObject({ id: 'field-type-changed:Listing.title', file: sdl, line: 11 });
  expect(broken.changes[1]).toMatchObject({
    id: 'response-type-changed:schemas/Listing title',
    file: sdl,
    line: 11,
  });
  expect(check('--format', 'github').stdout).toMatch(new RegExp(`^::error file=${sdl},line=11,`));

  const accepted = ['field-type-changed:Listing.title', broken.changes[1]?.id, 'field-removed:Listing.gone'];
  write(
    'schema/accepted-changes.yaml',
    accepted.map((id) => `- id: ${id}\n  reason: it is a number\n`).join(''),
  );
  expect(checkJson()).toMatchObject({
    status: 0,
    counts: { breaking: 0, accepted: 2 },
    unusedAcceptances: [{ id: 'field-removed:Listing.gone' }],
  });

  // What the main line has already is not compared with itself in silence.
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(checkJson().base.ref).toMatch(/^HEAD, .*: uncommitted changes only$/);

  // A branch is compared with where it left the main line, not with the commit before.
  git('update-ref', 'refs/remotes/origin/main', 'v1');
  git('commit', '--quiet', '--allow-empty', '-m', 'more');
  expect(checkJson()).toMatchObject({
    status: 0,
    base: { ref: 'merge base with origin/main' },
    counts: { accepted: 2 },
  });
}, 120_000);

test('a release stores the contract with the reasons for its breaking changes, and prints its notes', () => {
  write(
    'schema/accepted-changes.yaml',
    '- id: field-removed:Query.me\n  reason: This shop has no accounts.\n',
  );
  const { status, stdout, stderr } = node('bin/release.ts', '1.0');
  expect(stderr).toMatch(/^stored schema\/releases\/1\.0\.json\.br; /);
  expect(stdout).toMatch(/^## 1\.0, since 2026-11-20\n\n\d+ changes break clients\.\n\n### New\n/);
  expect(stdout).toContain('- **Breaking.** `Query.me` was removed. Reason: This shop has no accounts.');
  expect(status).toBe(0);
  // The changelog still contains the reason after the entry is deleted.
  write('schema/accepted-changes.yaml', '');
  node('bin/generate.ts');
  const changelog = read('docs/reference/changelog.md');
  expect(changelog).toMatch(/## Next release, since 1\.0\n\nNothing that a client could see\.\n/);
  expect(changelog).toContain('Reason: This shop has no accounts.');

  edit(sdl, 'title: Int', 'title: Float');
  const stale = node('bin/release.ts', '1.1');
  expect([stale.status, stale.stderr]).toEqual([
    1,
    expect.stringMatching(/^These files are stale: schema\/shop/),
  ]);
  edit(sdl, 'title: Float', 'title: Int');
}, 60_000);

test('the schema check exits with 2 and one line for a wrong argument or list of accepted changes', async () => {
  const rows: [string[], RegExp][] = [
    [['--base', 'nowhere'], /^The commit "nowhere" does not exist in this clone\. .*\n$/],
    [['--base=--all'], /^The commit "--all" does not exist in this clone\. .*\n$/],
    [['--operations-log', 'no.ndjson'], /^no\.ndjson cannot be read; .*\n$/],
    [
      ['--operations-log', 'package.json'],
      /^package\.json, line 1 is not an entry of an operations log; .*\n$/,
    ],
  ];
  const refuse = async ([args, line]: [string[], RegExp]): Promise<void> => {
    const { status, stdout, stderr } = await checkBeside(...args);
    expect([args, status, stdout]).toEqual([args, 2, '']);
    expect(stderr).toMatch(line);
  };
  await Promise.all(rows.map(refuse));
  write('schema/accepted-changes.yaml', '- id: field-removed:Listing.title\n');
  await refuse([[], /^schema\/accepted-changes\.yaml: .* needs a reason\.\n$/]);
}, 60_000);

test('the audit reads the guards of the working tree and reports a stale supergraph', () => {
  edit(sdl, 'Listing @guard__authenticated', 'Listing');
  const { status, stdout, stderr } = node('bin/audit.ts', '--quiet');
  expect(status).toBe(1);
  expect(stdout).toMatch(/Query\.listing.*guard/);
  expect(stderr).toMatch(/^schema\/supergraph\.graphql is stale/);
});
