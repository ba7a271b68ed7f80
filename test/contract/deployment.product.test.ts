import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { concerns, readConfiguration } from '../../app/configuration/readConfiguration.ts';

const root = path.join(import.meta.dirname, '../..');
const text = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

/** Variables that Node, the C library and libraries read. */
const readElsewhere = /^(?:OTEL_\w+|NODE_ENV|NODE_OPTIONS|NODE_COMPILE_CACHE|MALLOC_ARENA_MAX)$/;

const known = new Set(
  Object.values(concerns).flatMap((settings) => Object.values(settings).map(({ name }) => name)),
);

async function manifests(): Promise<any[]> {
  const files = (await readdir(path.join(root, 'deploy/kubernetes'))).filter((file) =>
    file.endsWith('.yaml'),
  );
  const texts = await Promise.all(files.map((file) => text(`deploy/kubernetes/${file}`)));
  return texts.flatMap((one) =>
    parseAllDocuments(one).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
}

const ofKind = async (kind: string) => (await manifests()).filter((one) => one.kind === kind);
const compose = async () => parse(await text('deploy/compose.yaml'), { merge: true });

/** Expects that the script of a command exists, and that a subgraph that it names is one of the product. */
async function expectCommand([program, script = '', ...args]: string[]): Promise<void> {
  expect(program).toBe('node');
  await text(script);
  if (script === 'bin/subgraph.ts') expect(['identity', 'seo', 'translation']).toContain(args[0]);
  else expect(args).toEqual(script === 'bin/migrate.ts' ? ['apply'] : []);
}

test('the product reads every variable of the compose file, the manifests and the image', async () => {
  const { services } = await compose();
  const ours = Object.values(services as Record<string, any>).filter(({ image }) => image === 'trigate');
  expect(ours).toHaveLength(6);
  const [{ data }] = await ofKind('ConfigMap');
  const [{ stringData }] = await ofKind('Secret');
  const ofContainers = (await ofKind('Deployment')).flatMap(({ spec }) =>
    spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name),
  );
  const ofImage = [...(await text('deploy/Dockerfile')).matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  );
  const named = [
    ...ours.flatMap(({ environment }) => Object.keys(environment)),
    ...Object.keys(data),
    ...Object.keys(stringData),
    ...ofContainers,
    ...ofImage,
  ];
  expect(new Set(named).size).toBeGreaterThan(15);
  expect([...new Set(named)].filter((name) => !known.has(name) && !readElsewhere.test(name))).toEqual([]);
});

/** Replaces variables of the compose file that have a default, as in `${NAME:-default}`, by it. */
function withDefaults(environment: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(\w+)\}$/, '$1'),
  ]);
  return Object.fromEntries(entries);
}

test('the product accepts the configuration of the ConfigMap and of the compose file', async () => {
  const [{ data }] = await ofKind('ConfigMap');
  expect(readConfiguration(data)).toMatchObject({
    demonstration: false,
    storage: 'gridfs',
    drainLeadMs: 6000,
  });
  const { services } = await compose();
  for (const name of ['identity', 'seo', 'translation', 'router'])
    expect(readConfiguration(withDefaults(services[name].environment))).toMatchObject({
      demonstration: false,
      trustedProxies: 1,
    });
});

test('every command of compose file and manifests exists, and each process listens on its configured address', async () => {
  const { services } = await compose();
  for (const name of ['migrate', 'identity', 'seo', 'translation', 'router', 'signer'])
    await expectCommand(services[name].command);
  const deployments = await ofKind('Deployment');
  const expected = { identity: 4101, seo: 4102, translation: 4103, router: 4000 };
  expect(deployments.map(({ metadata }): string => metadata.name).sort()).toEqual(
    Object.keys(expected).sort(),
  );
  const [{ data }] = await ofKind('ConfigMap');
  for (const { metadata, spec } of deployments) {
    const { name } = metadata as { name: keyof typeof expected };
    const [container] = spec.template.spec.containers;
    await expectCommand(container.args);
    const environment = Object.fromEntries(
      container.env.map(({ name: variable, value }: { name: string; value: string }) => [variable, value]),
    );
    const { port, host, subgraphListen } = readConfiguration({ ...data, ...environment });
    expect(subgraphListen ?? { port, host }).toEqual({ port: expected[name], host: '0.0.0.0' });
    expect(container.ports).toContainEqual({ name: 'http', containerPort: expected[name] });
    if (name !== 'router')
      expect(new URL(data[`${name.toUpperCase()}_URL`]).host).toBe(`${name}:${expected[name]}`);
  }
});

test('each Kubernetes deployment has probes, limits, a service, an autoscaler and a disruption budget', async () => {
  const [deployments, services, scalers, budgets] = await Promise.all(
    ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'].map(ofKind),
  );
  for (const { metadata, spec } of deployments ?? []) {
    const { name } = metadata;
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    const [container] = containers;
    expect(container.livenessProbe.httpGet.path).toBe('/health/live');
    expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    expect(container.resources).toMatchObject({ requests: expect.anything(), limits: expect.anything() });
    // Draining takes at most its lead and ten seconds.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(16);
    expect(services?.filter((one) => one.metadata.name === name)).toHaveLength(1);
    expect(scalers?.filter(({ spec: { scaleTargetRef } }) => scaleTargetRef.name === name)).toHaveLength(1);
    expect(budgets?.filter((one) => one.metadata.name === name)).toHaveLength(1);
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  }
  const [{ resources }] = await ofKind('Kustomization');
  const files = (await readdir(path.join(root, 'deploy/kubernetes'))).filter(
    (file) => file !== 'kustomization.yaml',
  );
  expect([...(resources as string[])].sort()).toEqual(files.sort());
});

test('the image contains every file that its programs read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trigate-image-'));
  try {
    const [image = ''] = (await text('deploy/Dockerfile')).split(/^FROM .*$/m).slice(-1);
    const copies = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
    for (const [, sources = ''] of copies)
      for (const source of sources.split(' '))
        await cp(path.join(root, source), path.join(folder, path.basename(source)), {
          recursive: true,
          filter: (file) =>
            !/\.(?:test|generated)\.ts$|schema\/(?:audit|plans)\.json$|site\/pages$/.test(file),
        });
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const run = (script: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [script, ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, DEMO: 'off' },
      }).catch((error: { stderr: string }) => error);
    expect(await run('bin/prepare.ts')).toMatchObject({ stdout: '', stderr: '' });
    for (const file of ['schema/audit.json', 'schema/plans.json', 'site/pages/errors.html'])
      expect((await readFile(path.join(folder, file))).equals(await readFile(path.join(root, file)))).toBe(
        true,
      );
    // A program loads all its modules before it fails without a database.
    const refused = [
      [['bin/router.ts'], /^cannot start: the router needs the database/],
      [['bin/signer.ts'], /^cannot start: the signer needs the database/],
      [['bin/subgraph.ts', 'seo'], /^cannot start: a subgraph that runs alone needs the database/],
    ] as const;
    await Promise.all(
      refused.map(async ([[script, ...args], words]) =>
        expect((await run(script, ...args)).stderr).toMatch(words),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
