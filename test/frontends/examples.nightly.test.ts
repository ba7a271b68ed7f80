import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser } from '../support/openBrowser.ts';
import { recordFaults } from '../support/pagesOf.ts';
import { type Program, startProgram } from '../support/stack/startProgram.ts';

/* The example frontends, each installed and built as its README says, against a product of another origin. */

const root = path.join(import.meta.dirname, '../..');
const patienceMs = 300_000;
const password = 'examples-password-1';
const examples = ['storefront-apollo', 'storefront-typescript'];

/** Installs the packages of an example. Returns false without a registry. */
function install(example: string): boolean {
  const options = { cwd: path.join(root, 'examples', example), stdio: 'pipe' } as const;
  try {
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], options);
    return true;
  } catch (error) {
    const stderr = String((error as { stderr: Buffer }).stderr);
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(stderr)) return false;
    throw new Error(`The packages of ${example} cannot be installed: ${stderr}`, { cause: error });
  }
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
let served = '';
let pages: Server;
let folder: string;
let product: Program;
let browser: Browser;

beforeAll(async () => {
  pages = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(root, 'examples', served, 'public', pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? '' }).end(readFileSync(file));
  });
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-examples-'));
  product = await startProgram('product', 'bin/main.ts', {
    DATA_DIR: folder,
    DEMO_PASSWORD: password,
    DEMO_SAMPLES: 'off',
    RATE_LIMITS: 'off',
    PORT: '0',
    MONGODB_URI: '',
    CORS_ORIGINS: origin(),
  });
  browser = await openBrowser();
}, patienceMs);

afterAll(async () => {
  await browser.close();
  await product.stop();
  pages.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}, patienceMs);

function origin(): string {
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
}

/** Calls a REST route as the dealer. */
async function asDealer(method: string, route: string, body?: object) {
  const grant = { grant_type: 'password', username: 'dealer@demo.example', password };
  const signedIn = await fetch(`${product.url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const answer = await fetch(`${product.url}/api/v1${route}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { data: { id: string }[] };
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Email address').fill('buyer@demo.example');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Chooses a maker, and opens the first car that is left. */
async function openCar(page: Page): Promise<void> {
  await page.getByRole('heading', { name: '406 cars' }).waitFor();
  await page.getByLabel(/chevrolet \(/).check();
  await page.getByRole('heading', { name: /^[1-9]\d? cars/ }).waitFor();
  await page.locator('.cards a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Chevrolet' }).waitFor();
}

test('the examples have less than 600 lines each and pinned versions', async () => {
  for (const example of examples) {
    const text = await readFile(path.join(root, 'examples', example, 'package.json'), 'utf8');
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>;
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^(\d+\.\d+\.\d+|file:\S+)$/);
    const lines = execFileSync('git', ['ls-files', `examples/${example}/src`], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((file) => file !== '')
      .reduce((sum, file) => sum + readFileSync(path.join(root, file), 'utf8').split('\n').length, 0);
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThan(600);
  }
});

describe.each(examples)('%s', (example) => {
  const run = install(example) ? test : test.skip;

  run(
    'a reader filters the cars, signs in, saves a car, sends a message with a photo and sees the answer live',
    async () => {
      if (example === 'storefront-typescript')
        execFileSync('npm', ['run', 'build'], { cwd: path.join(root, 'packages/client'), stdio: 'pipe' });
      execFileSync('npm', ['run', 'build'], { cwd: path.join(root, 'examples', example), stdio: 'pipe' });
      served = example;
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      const faults = recordFaults(page, origin());
      await page.goto(`${origin()}/?api=${product.url}`);
      await openCar(page);
      await signIn(page);
      await openCar(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Saved' }).waitFor();
      const question = `Is it still available? (${example})`;
      await page.getByLabel('Your message').fill(question);
      const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#36c' } })
        .jpeg()
        .toBuffer();
      await page
        .getByLabel('Photo')
        .setInputFiles({ name: 'my-car.jpg', mimeType: 'image/jpeg', buffer: photo });
      await page.getByRole('button', { name: 'Send' }).click();
      await page
        .locator('.messages li')
        .filter({ hasText: question })
        .getByText('A photo is attached.')
        .waitFor();
      const { data } = await asDealer('GET', '/conversations');
      await asDealer('POST', `/conversations/${data[0]?.id}/messages`, { text: `Yes, it is. (${example})` });
      await page.getByText(`Yes, it is. (${example})`).waitFor();
      await page.getByRole('link', { name: 'Saved' }).click();
      await page.getByRole('heading', { name: '1 saved cars' }).waitFor();
      await page.locator('.cards a').first().click();
      await page.getByRole('button', { name: 'Saved' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
      await context.close();
      // The API has another origin than the pages.
      expect(faults.filter((fault) => !fault.startsWith('requests '))).toEqual([]);
    },
    patienceMs,
  );
});
