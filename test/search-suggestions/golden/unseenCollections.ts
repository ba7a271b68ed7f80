import type { GoldenCase } from './GoldenCase.ts';

/** Category pages of the unseen pages. */
export const unseenCollections: readonly GoldenCase[] = [
  {
    name: 'en: motorcycle helmets',
    site: 'Two Wheels',
    page: {
      locale: 'en-GB',
      title: 'Motorcycle helmets',
      content:
        '<p>Shop motorcycle helmets by Arai, Shoei, HJC and AGV. All our motorcycle helmets meet the ECE 22.06 standard, and most sizes are sent on the same day.</p><h2>Full-face or modular?</h2><p>A full-face helmet is quieter and lighter. A modular helmet opens at the front, which is practical for riders with glasses.</p><h2>Find your size</h2><p>Measure your head above the eyebrows. A new helmet should be tight at the cheeks without pressing on the forehead. If it does not fit, send it back within 60 days.</p>',
    },
    editor: {
      keyphrases: ['motorcycle helmets', 'motorcycle helmet', 'full-face helmet'],
      title: 'Motorcycle helmets by Arai, Shoei and AGV | Two Wheels',
      titleNames: ['otorcycle helmets'],
      description:
        'Shop motorcycle helmets by Arai, Shoei, HJC and AGV. All helmets meet the ECE 22.06 standard, and you can send them back within 60 days.',
      descriptionNames: ['motorcycle helmets'],
      slug: 'motorcycle-helmets',
      slugWords: ['motorcycle', 'helmets'],
      schemaType: 'CollectionPage',
      schemaName: 'Motorcycle helmets',
    },
  },
  {
    name: 'de: coffee beans',
    site: 'Rösterei Lindner',
    page: {
      locale: 'de-CH',
      title: 'Kaffeebohnen aus eigener Röstung',
      content:
        '<p>Unsere Kaffeebohnen rösten wir zweimal pro Woche in Winterthur. Sie erhalten die Kaffeebohnen höchstens drei Tage nach der Röstung, in Packungen zu 250 g und 1 kg.</p><h2>Für Vollautomaten</h2><p>Milde Mischungen mit wenig Säure eignen sich für Vollautomaten und Kolbenmaschinen.</p><h2>Für Filterkaffee</h2><p>Helle Röstungen aus Äthiopien und Kenia schmecken fruchtig. Wir mahlen die Bohnen auf Wunsch für Ihre Zubereitung.</p>',
    },
    editor: {
      keyphrases: ['Kaffeebohnen', 'Kaffeebohnen aus eigener Röstung', 'frische Kaffeebohnen'],
      title: 'Kaffeebohnen aus eigener Röstung | Rösterei Lindner',
      titleNames: ['Kaffeebohnen'],
      description:
        'Unsere Kaffeebohnen rösten wir zweimal pro Woche in Winterthur. Für Vollautomaten und Filterkaffee, in Packungen zu 250 g und 1 kg.',
      descriptionNames: ['kaffeebohnen'],
      slug: 'kaffeebohnen-aus-eigener-roestung',
      slugWords: ['kaffeebohnen'],
      schemaType: 'CollectionPage',
      schemaName: 'Kaffeebohnen aus eigener Röstung',
    },
  },
  {
    name: 'fr: electric bicycles of a season',
    site: 'Cycles Morvan',
    page: {
      locale: 'fr',
      title: 'Vélos électriques : nos nouveautés 2026',
      content:
        '<p>Découvrez nos vélos électriques pour la ville, la route et la montagne. Tous nos vélos électriques sont montés dans notre atelier de Dijon et livrés prêts à rouler.</p><p>Un vélo électrique de ville pèse environ 22 kg et parcourt 80 km avec une charge. Les modèles de montagne ont un moteur plus puissant et une batterie de 750 Wh.</p><p>Vous pouvez essayer chaque modèle sur rendez-vous. Une aide de l’État est possible sous conditions de revenus.</p>',
    },
    editor: {
      keyphrases: ['vélos électriques', 'vélo électrique', 'vélos électriques 2026'],
      title: 'Vélos électriques : nos nouveautés 2026 | Cycles Morvan',
      titleNames: ['élos électriques'],
      description:
        'Découvrez nos vélos électriques pour la ville, la route et la montagne. Ils sont montés dans notre atelier de Dijon et livrés prêts à rouler.',
      descriptionNames: ['vélos électriques'],
      slug: 'velos-electriques-nouveautes-2026',
      slugWords: ['velos', 'electriques'],
      schemaType: 'CollectionPage',
      schemaName: 'Vélos électriques : nos nouveautés 2026',
    },
  },
  {
    name: 'es: second-hand cars of a city',
    site: 'Autos Gran Vía',
    page: {
      locale: 'es',
      title: 'Coches de segunda mano en Zaragoza',
      content:
        '<p>En Autos Gran Vía encontrarás más de 200 coches de segunda mano en Zaragoza, revisados en 120 puntos y con garantía de un año. Puedes filtrar por precio, kilómetros y tipo de combustible.</p><p>Compramos tu coche actual y te hacemos la tasación en media hora. Si prefieres pagar a plazos, te ayudamos con la financiación de tu coche de segunda mano.</p><h2>Visítanos</h2><p>Estamos en la carretera de Logroño, a diez minutos del centro. Abrimos de lunes a sábado.</p>',
    },
    editor: {
      keyphrases: [
        'coches de segunda mano en Zaragoza',
        'coches de segunda mano',
        'coche de segunda mano',
        'coches de segunda mano Zaragoza',
      ],
      title: 'Coches de segunda mano en Zaragoza | Autos Gran Vía',
      titleNames: ['oches de segunda mano', 'Zaragoza'],
      description:
        'Más de 200 coches de segunda mano en Zaragoza, revisados en 120 puntos y con garantía de un año. Filtra por precio, kilómetros y combustible.',
      descriptionNames: ['segunda mano'],
      slug: 'coches-de-segunda-mano-en-zaragoza',
      slugWords: ['coches', 'segunda', 'mano', 'zaragoza'],
      schemaType: 'CollectionPage',
      schemaName: 'Coches de segunda mano en Zaragoza',
    },
  },
  {
    name: 'es: shoes with a slogan as title',
    site: 'Pasos',
    page: {
      locale: 'es-MX',
      title: '¡Camina sin dolor! Zapatos cómodos para mujer',
      content:
        '<p>Nuestros zapatos cómodos para mujer tienen plantilla de memoria, suela flexible y horma ancha. Son ideales si pasas muchas horas de pie.</p><p>Encuentra zapatos cómodos para la oficina, mocasines de piel y sandalias con soporte para el arco. Hay números del 22 al 27, con medios números.</p><p>El primer cambio de talla es gratis en todo México. Paga con tarjeta, en OXXO o a meses sin intereses.</p>',
    },
    editor: {
      keyphrases: ['zapatos cómodos para mujer', 'zapatos cómodos', 'zapatos para mujer'],
      title: 'Zapatos cómodos para mujer con suela flexible | Pasos',
      titleNames: ['apatos cómodos para mujer'],
      description:
        'Nuestros zapatos cómodos para mujer tienen plantilla de memoria, suela flexible y horma ancha. El primer cambio de talla es gratis en México.',
      descriptionNames: ['zapatos cómodos'],
      slug: 'zapatos-comodos-mujer-camina-sin-dolor',
      slugWords: ['zapatos', 'comodos'],
      schemaType: 'CollectionPage',
      schemaName: 'Zapatos cómodos para mujer|¡Camina sin dolor! Zapatos cómodos para mujer',
    },
  },
];
