import { createRequire } from 'node:module';
import type * as nodemailer from 'nodemailer';

const require = createRequire(import.meta.url);

/** Loads the library with the first mail, so that it does not slow down the start. */
export function loadNodemailer(): typeof nodemailer {
  return require('nodemailer') as typeof nodemailer;
}
