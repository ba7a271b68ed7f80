#!/usr/bin/env node
import { runCommand } from './runCommand.ts';

const { code, stdout, stderr } = await runCommand(process.argv.slice(2), process.cwd());
if (stdout !== '') console.log(stdout);
if (stderr !== '') console.error(stderr);
process.exitCode = code;
