import { hourMs } from '../../platform/time/durations.ts';
import type { MediaKind, MediaPurpose } from './model.ts';

/** Accepted types and their kinds. SVG is not accepted, because it can contain scripts. */
export const mediaTypes: Readonly<Record<string, MediaKind>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'image/heic': 'image',
  'application/pdf': 'document',
  'video/mp4': 'video',
};

/** Kinds of files that a purpose accepts. */
export const kindsOf: Readonly<Record<MediaPurpose, readonly MediaKind[]>> = {
  listing: ['image', 'video'],
  avatar: ['image'],
  logo: ['image'],
  verification: ['image', 'document'],
  message: ['image', 'document', 'video'],
  evidence: ['image', 'document', 'video'],
};

/** Time in which the bytes of a declared file can be uploaded, in milliseconds. */
export const uploadLifeMs = hourMs;
