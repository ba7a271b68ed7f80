import { createRequire } from 'node:module';
import type * as zxcvbn from '@zxcvbn-ts/core';
import type * as common from '@zxcvbn-ts/language-common';
import { AppError } from '../../../platform/errors/AppError.ts';

const require = createRequire(import.meta.url);
let commonPasswords: ReadonlySet<string | number> | undefined;
let estimator: zxcvbn.ZxcvbnFactory | undefined;

/** Loads the dictionaries, which are large, with the first password that a user chooses. */
function loadWords(): typeof common {
  return require('@zxcvbn-ts/language-common') as typeof common;
}

/** The cost of an estimate grows with the square of the length: beyond this the score is 4 anyway or never. */
const longestEstimated = 64;
/** Shorter words of a name would refuse half of all passwords. */
const shortestWord = 4;

/** Texts that a password must not contain. */
export interface PasswordOwner {
  email: string;
  displayName: string;
  installationName: string;
}

/**
 * Refuses a password that is too short or long, common, or derived from public data of its owner (ASVS 6.2). There are
 * no composition rules, and the text is not normalized.
 *
 * @param pointer of the member that holds it, as in `#/password`
 * @throws AppError `weak_password`
 */
export function assertPassword(password: string, owner: PasswordOwner, pointer: string): void {
  const detail = findWeakness(password, owner);
  if (detail === null) return;
  throw new AppError('weak_password', detail, { errors: [{ pointer, code: 'weak_password', detail }] });
}

function findWeakness(password: string, owner: PasswordOwner): string | null {
  const length = [...password].length;
  if (length < 8) return 'A password must have at least 8 characters.';
  if (length > 128) return 'A password must have at most 128 characters.';
  const lower = password.toLowerCase();
  commonPasswords ??= new Set(loadWords().dictionary['passwords-common']);
  if (commonPasswords.has(lower) || commonPasswords.has(password)) {
    return 'This password is too common. Choose another one.';
  }
  if (knownWords(owner).some((word) => lower.includes(word))) {
    return 'The password must not contain your email address, your name or the name of this site.';
  }
  return null;
}

function knownWords({ email, displayName, installationName }: PasswordOwner): string[] {
  return [email.slice(0, email.lastIndexOf('@')), displayName, installationName]
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word.length >= shortestWord);
}

/** Returns the strength from 0 to 4, as advice. */
export function scorePassword(password: string, owner: PasswordOwner): number {
  estimator ??= createEstimator();
  return estimator.check(password.slice(0, longestEstimated), knownWords(owner)).score;
}

function createEstimator(): zxcvbn.ZxcvbnFactory {
  const { ZxcvbnFactory } = require('@zxcvbn-ts/core') as typeof zxcvbn;
  const { dictionary, adjacencyGraphs } = loadWords();
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
