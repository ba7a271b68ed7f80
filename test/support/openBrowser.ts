import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
);

/** Whether this machine has a browser; tests of pages skip visibly without one. */
export const hasBrowser = executablePath !== undefined;

/** Opens the machine's Chromium without a window and without conversations of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
