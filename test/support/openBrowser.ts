import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
);

/**
 * Opens the machine's Chromium without a window and without background requests.
 *
 * @throws Error that states how to install a browser
 */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error(
      'No browser: install Chromium (on Debian: apt-get install chromium), then repeat the test.',
    );
  return chromium.launch({
    executablePath,
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
