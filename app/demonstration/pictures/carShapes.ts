/** Side view of a kind of car that faces right, in a box of 1,000 units. The ground is at y = 300. */
export interface CarShape {
  /** Outline of the body above the wheels. */
  readonly body: string;
  readonly windows: readonly string[];
  /** Gaps around doors and lids. */
  readonly seams: string;
  readonly handles: readonly { readonly x: number; readonly y: number }[];
  /** Horizontal positions of the wheels. */
  readonly wheels: readonly [rear: number, front: number];
  /** Horizontal ends of the body at the height of the lights, rear and front. */
  readonly ends: readonly [rear: number, front: number];
  /** Shapes in the color of the body that lie over it, such as fenders. */
  readonly fenders?: readonly string[];
}

/** Nose of the cars with three boxes: windscreen, bonnet and front. */
const nose = 'L700 134 L905 149 Q960 154 968 182 L973 240 Z';

/** Shapes by name. */
export const carShapes = {
  saloon: {
    body: `M38 240 L30 182 Q30 153 52 148 L226 134 Q264 82 318 56 Q345 46 420 44 L540 44 Q584 46 612 66 ${nose}`,
    windows: [
      'M258 131 L317 73 Q330 62 350 61 L426 59 L426 131 Z',
      'M442 131 L442 59 L540 59 Q572 61 593 79 L660 131 Z',
    ],
    seams:
      'M434 59 V236 M672 134 Q682 190 664 232 M262 134 Q262 172 296 214 M700 134 L955 158 M226 134 L40 154',
    handles: [
      { x: 292, y: 158 },
      { x: 452, y: 158 },
    ],
    wheels: [208, 792],
    ends: [30, 968],
  },
  estate: {
    body: `M34 240 L28 182 Q28 150 40 138 L80 64 Q90 46 130 44 L540 44 Q584 46 612 66 ${nose}`,
    windows: [
      'M66 130 L99 71 Q104 61 122 60 L238 59 L238 131 L66 131 Z',
      'M254 131 V59 H426 V131 Z',
      'M442 131 L442 59 L540 59 Q572 61 593 79 L660 131 Z',
    ],
    seams:
      'M434 59 V236 M246 59 V150 Q262 190 296 214 M672 134 Q682 190 664 232 M700 134 L955 158 M110 40 H520',
    handles: [
      { x: 292, y: 158 },
      { x: 452, y: 158 },
    ],
    wheels: [208, 792],
    ends: [28, 968],
  },
  coupe: {
    body: 'M36 240 L26 184 Q28 158 54 150 L150 138 Q262 84 350 64 Q420 50 490 53 Q542 56 582 80 L664 139 L902 154 Q960 160 971 188 L976 240 Z',
    windows: ['M268 133 Q332 88 400 73 L444 68 V133 Z', 'M462 133 V67 Q524 66 560 88 L622 135 Z'],
    seams: 'M398 138 Q386 190 404 236 M648 138 Q660 190 640 236 M664 139 L958 162 M150 138 L40 156',
    handles: [{ x: 416, y: 164 }],
    wheels: [208, 792],
    ends: [26, 971],
  },
  hatchback: {
    body: 'M98 240 L88 194 Q90 162 104 142 L174 66 Q192 47 240 45 L520 43 Q566 45 598 68 L686 138 L868 153 Q920 158 928 186 L932 240 Z',
    windows: [
      'M142 131 L197 74 Q209 61 232 60 L372 59 V131 Z',
      'M388 131 V59 L520 58 Q552 60 577 78 L646 133 Z',
    ],
    seams: 'M380 59 V150 Q374 200 388 236 M662 136 Q672 190 652 232 M686 138 L916 162',
    handles: [{ x: 404, y: 160 }],
    wheels: [246, 762],
    ends: [88, 928],
  },
  pickup: {
    body: `M34 240 L28 142 L470 138 L488 62 Q492 46 520 44 L606 44 Q638 46 660 66 L730 138 L912 150 Q962 155 968 182 L973 240 Z`,
    windows: ['M500 133 L512 69 Q514 60 526 59 L604 59 Q626 61 643 77 L694 133 Z'],
    seams:
      'M478 138 V236 M706 138 Q716 190 696 232 M730 138 L955 158 M28 156 H470 M52 172 H300 M420 172 H470',
    handles: [{ x: 500, y: 160 }],
    wheels: [208, 792],
    ends: [28, 968],
  },
  beetle: {
    body: 'M150 236 Q112 176 186 116 Q262 52 400 44 Q508 40 566 74 Q606 98 634 128 Q742 128 812 176 Q836 204 838 236 Z',
    windows: ['M262 126 Q312 78 392 66 V126 Z', 'M410 126 V64 Q496 60 540 84 L584 126 Z'],
    seams: 'M400 66 V222 M612 128 Q626 180 612 222 M186 116 Q172 150 180 186 M634 128 Q690 140 730 176',
    handles: [{ x: 420, y: 152 }],
    wheels: [252, 762],
    ends: [138, 872],
    fenders: [
      'M138 240 Q138 148 250 146 Q340 150 366 240 Z',
      'M648 240 Q662 150 762 146 Q868 148 878 240 Z',
      'M360 224 H654 V240 H360 Z',
    ],
  },
} as const satisfies Record<string, CarShape>;

/** Name of a shape. */
export type CarShapeName = keyof typeof carShapes;
