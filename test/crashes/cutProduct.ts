import mongoose from 'mongoose';
import pino from 'pino';
import { readConfiguration } from '../../app/configuration/readConfiguration.ts';
import { startProduct } from '../../app/lifecycle/startProduct.ts';
import { Life, liveAlone } from './Cut.ts';

/** Runs the product as `npm start` does. It blocks at the cuts of `CUTS` until it is killed. */
const { ready } = await startProduct(readConfiguration(process.env), {
  log: pino({ level: process.env.LOG_LEVEL ?? 'fatal' }, pino.destination(2)),
  progress: () => undefined,
});
const note = () => void mongoose.connection.collection('cuts').insertOne({ at: new Date() });
liveAlone(new Life(JSON.parse(process.env.CUTS ?? '[]'), note));
console.log(`ready ${ready}`);
