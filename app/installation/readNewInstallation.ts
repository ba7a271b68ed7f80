import { domainToASCII } from 'node:url';
import { isDeceptive } from '../../subgraphs/identity/kernel/text/checkLine.ts';
import { normalizeEmail } from '../../subgraphs/identity/people/user/emailAddress.ts';
import { checkDisplayName } from '../../subgraphs/identity/people/user/personalText.ts';
import type { CommandCall } from '../commands/runCommands.ts';

/** Members of a new installation. */
export interface InstallationPlan {
  name: string;
  baseUrl: string;
  /** Host names in lower case, without port. */
  hosts: string[];
  currency: string;
  /** Canonical BCP 47, the default language first. */
  locales: string[];
  administrator: { email: string; displayName: string };
}

const longestName = 120;
const currencies = new Set(Intl.supportedValuesOf('currency'));
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the options of `installations create`, before anything is written.
 *
 * @throws Error with the name of the option, its value and the allowed values
 */
export function readNewInstallation(values: CommandCall['values']): InstallationPlan {
  const name = readName(text(values, 'name'));
  const url = readBaseUrl(text(values, 'base-url'));
  const hosts = [...new Set(texts(values, 'host', [url.hostname]).map(readHost))];
  // Links in mails and the audience of tokens contain the base URL, so it must lead to this installation.
  if (!hosts.includes(url.hostname))
    throw new Error(
      `--base-url has the host "${url.hostname}", which is not a --host. Add --host ${url.hostname}, or correct one of them.`,
    );
  return {
    name,
    baseUrl: url.href.replace(/\/+$/, ''),
    hosts,
    currency: readCurrency(text(values, 'currency', 'EUR')),
    locales: [...new Set(texts(values, 'locale', ['en']).map(readLocale))],
    administrator: {
      email: readEmail(text(values, 'admin-email')),
      displayName: readDisplayName(text(values, 'admin-name', 'Administrator')),
    },
  };
}

function text(values: CommandCall['values'], option: string, fallback?: string): string {
  const value = values[option] ?? fallback;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new Error(`--${option} is missing. Every installation needs one.`);
}

function texts(values: CommandCall['values'], option: string, fallback: string[]): string[] {
  const value = values[option];
  return Array.isArray(value) ? value.map(String) : fallback;
}

function readName(name: string): string {
  if ([...name].length <= longestName && !isDeceptive(name)) return name;
  throw new Error(`--name must have at most ${longestName} characters and no control characters.`);
}

function readBaseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new Error(
    `--base-url is "${value}"; it must be an absolute http or https URL without a query, such as https://cars.example.`,
  );
}

function readHost(value: string): string {
  const host = domainToASCII(value.trim().toLowerCase());
  if (host !== '' && host.length <= 253 && host.split('.').every((part) => label.test(part))) return host;
  throw new Error(`--host is "${value}"; it must be a host name without a port, such as cars.example.`);
}

function readCurrency(value: string): string {
  if (currencies.has(value)) return value;
  throw new Error(`--currency is "${value}"; it must be an ISO 4217 code, such as EUR.`);
}

function readLocale(value: string): string {
  try {
    const [tag] = Intl.getCanonicalLocales(value);
    if (tag !== undefined) return tag;
  } catch {
    // Reported below, with the valid values.
  }
  throw new Error(`--locale is "${value}"; it must be a language tag, such as en or pt-BR.`);
}

function readEmail(value: string): string {
  if (normalizeEmail(value) !== null) return value;
  throw new Error(`--admin-email is "${value}", which is not an email address.`);
}

function readDisplayName(value: string): string {
  const problem = checkDisplayName(value, '#/displayName');
  if (problem === null) return value;
  throw new Error(`--admin-name: ${problem.detail}`);
}
