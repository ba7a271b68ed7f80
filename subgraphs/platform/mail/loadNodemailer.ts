import { createRequire } from 'node:module';
import type * as nodemailer from 'nodemailer';

const require = createRequire(import.meta.url);

/** Loaded with the first mail: no start waits for it. */
export function loadNodemailer(): typeof nodemailer {
  return require('nodemailer') as typeof nodemailer;
}
