import type { GoldenCase } from './GoldenCase.ts';

/** Pages that list products or listings of one category. */
export const collections: readonly GoldenCase[] = [
  {
    name: 'en: used estates',
    site: 'Harbour Motors',
    page: {
      locale: 'en',
      title: 'Used estate cars',
      content:
        '<p>Our used estate cars offer space for families, dogs and bicycles. Every car is inspected by our own workshop and sold with a warranty of twelve months.</p><p>You can compare used estate cars by price, mileage and fuel. Most cars are ready for a test drive on the same day.</p>',
    },
    editor: {
      keyphrases: ['used estate cars', 'estate cars', 'used estates'],
      title: 'Used estate cars with warranty | Harbour Motors',
      titleNames: ['sed estate cars'],
      description:
        'Our used estate cars offer space for families, dogs and bicycles. Every car is inspected and sold with a warranty of twelve months.',
      descriptionNames: ['estate cars'],
      slug: 'used-estate-cars',
      slugWords: ['estate', 'cars'],
      schemaType: 'CollectionPage',
      schemaName: 'Used estate cars',
    },
  },
  {
    name: 'en: hiking boots',
    site: 'Outdoor Depot',
    page: {
      locale: 'en-GB',
      title: 'Hiking boots for men',
      content:
        '<p>Find hiking boots for every path, from forest tracks to glaciers. Light hiking boots suit day trips, stiff boots hold crampons.</p><p>Order two sizes and return one pair for free. Our staff will help you to choose the right boots by phone.</p><h2>How hiking boots should fit</h2><p>The toes need room on the way down. Try the boots on in the afternoon with thick socks.</p>',
    },
    editor: {
      keyphrases: ['hiking boots', 'hiking boots for men', 'light hiking boots'],
      title: 'Hiking boots for men | Outdoor Depot',
      titleNames: ['iking boots'],
      description:
        'Find hiking boots for every path, from forest tracks to glaciers. Light boots suit day trips, stiff boots hold crampons. Free returns.',
      descriptionNames: ['hiking boots'],
      slug: 'hiking-boots-men',
      slugWords: ['hiking', 'boots'],
      schemaType: 'CollectionPage',
      schemaName: 'Hiking boots for men',
    },
  },
  {
    name: 'en: electric cars under a price',
    site: 'Volt Cars',
    page: {
      locale: 'en',
      title: 'Electric cars under £20,000',
      content:
        '<p>These electric cars cost less than £20,000 and have a range of at least 250 km. Each electric car comes with a certificate of its battery.</p><p>Filter the electric cars by range, charging speed and boot size. We deliver to every address in England, Scotland and Wales.</p>',
    },
    editor: {
      keyphrases: ['electric cars', 'electric cars under £20,000', 'cheap electric cars', 'electric car'],
      title: 'Electric cars under £20,000 | Volt Cars',
      titleNames: ['lectric cars', '20,000'],
      description:
        'These electric cars cost less than £20,000 and have a range of at least 250 km. Each electric car comes with a battery certificate.',
      descriptionNames: ['electric cars'],
      slug: 'electric-cars-under-20000',
      slugWords: ['electric', 'cars'],
      schemaType: 'CollectionPage',
      schemaName: 'Electric cars under £20,000',
    },
  },
  {
    name: 'en: a category with a very short text',
    site: 'Parts Direct',
    page: {
      locale: 'en',
      title: 'Brake pads and brake discs',
      content:
        '<p>Brake pads and brake discs by Bosch, ATE and Brembo for more than 9,000 models. Enter your registration number to see the parts that fit your car.</p>',
    },
    editor: {
      keyphrases: ['brake pads', 'brake pads and brake discs', 'brake discs', 'brake pads and discs'],
      title: 'Brake pads and brake discs | Parts Direct',
      titleNames: ['rake pads', 'brake discs|discs'],
      description:
        'Brake pads and brake discs by Bosch, ATE and Brembo for more than 9,000 models. Enter your registration number to see the parts that fit.',
      descriptionNames: ['brake pads'],
      slug: 'brake-pads-brake-discs',
      slugWords: ['brake', 'pads'],
      schemaType: 'CollectionPage',
      schemaName: 'Brake pads and brake discs',
    },
  },
  {
    name: 'de: used cars of a city',
    site: 'Autohaus Weber',
    page: {
      locale: 'de',
      title: 'Gebrauchtwagen in München',
      content:
        '<p>Über 200 Gebrauchtwagen in München warten auf eine Probefahrt. Alle Fahrzeuge sind geprüft und haben zwölf Monate Garantie.</p><p>Sie können jeden Gebrauchtwagen finanzieren oder Ihr altes Auto in Zahlung geben. Die Zulassung in München übernehmen wir.</p>',
    },
    editor: {
      keyphrases: ['Gebrauchtwagen in München', 'Gebrauchtwagen München', 'Gebrauchtwagen'],
      title: 'Gebrauchtwagen in München mit Garantie | Autohaus Weber',
      titleNames: ['Gebrauchtwagen', 'München'],
      description:
        'Über 200 Gebrauchtwagen in München warten auf eine Probefahrt. Alle Fahrzeuge sind geprüft und haben zwölf Monate Garantie.',
      descriptionNames: ['gebrauchtwagen'],
      slug: 'gebrauchtwagen-muenchen',
      slugWords: ['gebrauchtwagen', 'muenchen'],
      schemaType: 'CollectionPage',
      schemaName: 'Gebrauchtwagen in München',
    },
  },
  {
    name: 'de: garden furniture',
    site: 'Gartenwelt',
    page: {
      locale: 'de',
      title: 'Gartenmöbel aus Holz',
      content:
        '<p>Gartenmöbel aus Holz passen auf die Terrasse und unter den Apfelbaum. Wir verwenden Teak und Robinie aus europäischer Forstwirtschaft.</p><p>Einmal im Jahr geölt, halten die Gartenmöbel zwanzig Jahre. Tische, Bänke und Liegen werden montiert geliefert.</p><h2>Pflege</h2><p>Reinigen Sie das Holz mit Wasser und einer weichen Bürste.</p>',
    },
    editor: {
      keyphrases: ['Gartenmöbel aus Holz', 'Gartenmöbel', 'Gartenmöbel Holz'],
      title: 'Gartenmöbel aus Holz | Gartenwelt',
      titleNames: ['Gartenmöbel', 'Holz'],
      description:
        'Gartenmöbel aus Holz passen auf die Terrasse und unter den Apfelbaum. Aus Teak und Robinie europäischer Forstwirtschaft.',
      descriptionNames: ['gartenmöbel aus holz'],
      slug: 'gartenmoebel-holz',
      slugWords: ['gartenmoebel', 'holz'],
      schemaType: 'CollectionPage',
      schemaName: 'Gartenmöbel aus Holz',
    },
  },
  {
    name: 'de: winter tyres',
    site: 'Reifen Krüger',
    page: {
      locale: 'de-AT',
      title: 'Winterreifen für Pkw und SUV',
      content:
        '<p>Winterreifen für Pkw und SUV von allen großen Herstellern, mit Montage in 14 Filialen. Die Winterreifen sind ab Lager lieferbar.</p><p>Von November bis Mitte April gilt in Österreich die Winterreifenpflicht. Wählen Sie Breite, Höhe und Felge, und Sie sehen die passenden Reifen.</p>',
    },
    editor: {
      keyphrases: ['Winterreifen', 'Winterreifen für Pkw', 'Winterreifen für Pkw und SUV'],
      title: 'Winterreifen für Pkw und SUV | Reifen Krüger',
      titleNames: ['Winterreifen'],
      description:
        'Winterreifen für Pkw und SUV von allen großen Herstellern, mit Montage in 14 Filialen. Die Winterreifen sind ab Lager lieferbar.',
      descriptionNames: ['winterreifen'],
      slug: 'winterreifen-pkw-suv',
      slugWords: ['winterreifen'],
      schemaType: 'CollectionPage',
      schemaName: 'Winterreifen für Pkw und SUV',
    },
  },
  {
    name: 'de: a category with a generic title, keyphrase given',
    site: 'Kaffeekontor',
    page: {
      locale: 'de',
      title: 'Unser Sortiment',
      keyphrase: 'Kaffeebohnen',
      content:
        '<p>Kaffeebohnen aus acht Ländern, jeden Dienstag frisch geröstet. Wir kaufen die Kaffeebohnen direkt bei den Bauern.</p><p>Helle Röstungen schmecken nach Frucht, dunkle nach Schokolade. Ab 39 Euro liefern wir ohne Versandkosten.</p>',
    },
    editor: {
      keyphrases: ['Kaffeebohnen', 'frisch geröstete Kaffeebohnen'],
      title: 'Kaffeebohnen, frisch geröstet | Kaffeekontor',
      titleNames: ['Kaffeebohnen'],
      description:
        'Kaffeebohnen aus acht Ländern, jeden Dienstag frisch geröstet und direkt bei den Bauern gekauft. Ab 39 Euro ohne Versandkosten.',
      descriptionNames: ['kaffeebohnen'],
      slug: 'kaffeebohnen',
      slugWords: ['kaffeebohnen'],
      schemaType: 'CollectionPage',
      schemaName: 'Unser Sortiment|Kaffeebohnen',
    },
  },
  {
    name: 'fr: used cars',
    site: 'Garage du Port',
    page: {
      locale: 'fr',
      title: "Voitures d'occasion à Nantes",
      content:
        "<p>Nos voitures d'occasion à Nantes sont contrôlées sur 120 points et garanties un an. Plus de 80 modèles sont exposés.</p><p>Comparez les voitures d'occasion par prix, kilométrage et énergie. Nous reprenons votre ancien véhicule et nous proposons un financement.</p>",
    },
    editor: {
      keyphrases: [
        "voitures d'occasion à Nantes",
        "voitures d'occasion",
        "voiture d'occasion Nantes",
        "voiture d'occasion",
      ],
      title: "Voitures d'occasion à Nantes | Garage du Port",
      titleNames: ["oitures d'occasion", 'Nantes'],
      description:
        "Nos voitures d'occasion à Nantes sont contrôlées sur 120 points et garanties un an. Plus de 80 modèles sont exposés.",
      descriptionNames: ["voitures d'occasion"],
      slug: 'voitures-occasion-nantes',
      slugWords: ['voitures', 'occasion'],
      schemaType: 'CollectionPage',
      schemaName: "Voitures d'occasion à Nantes",
    },
  },
  {
    name: 'fr: sofas',
    site: 'Maison Pratique',
    page: {
      locale: 'fr',
      title: 'Canapés convertibles',
      content:
        '<p>Nos canapés convertibles accueillent vos amis pour une nuit ou pour toute la semaine. Ils se déplient en moins de dix secondes.</p><p>Choisissez votre canapé convertible en tissu, en velours ou en cuir. La livraison à l’étage est comprise. Les housses sont lavables à 30 degrés.</p>',
    },
    editor: {
      keyphrases: ['canapés convertibles', 'canapé convertible'],
      title: 'Canapés convertibles en tissu, velours ou cuir',
      titleNames: ['anapés convertibles'],
      description:
        'Nos canapés convertibles accueillent vos amis pour une nuit ou pour toute la semaine. Ils se déplient en moins de dix secondes.',
      descriptionNames: ['canapés convertibles'],
      slug: 'canapes-convertibles',
      slugWords: ['canapes', 'convertibles'],
      schemaType: 'CollectionPage',
      schemaName: 'Canapés convertibles',
    },
  },
  {
    name: 'fr: bread machines',
    site: 'Cuisine & Co',
    page: {
      locale: 'fr-CH',
      title: 'Machines à pain et accessoires',
      content:
        '<p>Une machine à pain pétrit, fait lever et cuit pendant que vous dormez. Nos machines à pain ont jusqu’à vingt programmes, dont plusieurs sans gluten.</p><p>Vous trouvez ici aussi des moules, des pales de rechange et des farines. Les commandes passées avant 15 heures partent le jour même.</p>',
    },
    editor: {
      keyphrases: ['machines à pain', 'machine à pain', 'machines à pain et accessoires'],
      title: 'Machines à pain et accessoires | Cuisine & Co',
      titleNames: ['achines à pain'],
      description:
        'Une machine à pain pétrit, fait lever et cuit pendant que vous dormez. Nos modèles ont jusqu’à vingt programmes, aussi sans gluten.',
      descriptionNames: ['machine à pain|machines à pain'],
      slug: 'machines-pain-accessoires',
      slugWords: ['machines', 'pain'],
      schemaType: 'CollectionPage',
      schemaName: 'Machines à pain et accessoires',
    },
  },
  {
    name: 'fr: a long category title',
    site: 'Pièces Auto 24',
    page: {
      locale: 'fr',
      title:
        "Pièces détachées d'origine et de qualité équivalente pour toutes les marques de voitures françaises et étrangères",
      content:
        "<p>Les pièces détachées d'origine coûtent souvent moins cher qu'on ne le pense. Nous en vendons plus de 300 000 pour les voitures de toutes marques.</p><p>Entrez votre plaque d'immatriculation pour voir les pièces détachées compatibles. Le retour est gratuit pendant trente jours.</p>",
    },
    editor: {
      keyphrases: ['pièces détachées', "pièces détachées d'origine", 'pièces détachées voiture'],
      title: "Pièces détachées d'origine pour toutes les marques",
      titleNames: ['ièces détachées'],
      description:
        "Plus de 300 000 pièces détachées d'origine pour les voitures de toutes marques. Entrez votre plaque d'immatriculation, retour gratuit.",
      descriptionNames: ['pièces détachées'],
      slug: 'pieces-detachees-origine',
      slugWords: ['pieces', 'detachees'],
      schemaType: 'CollectionPage',
      schemaName:
        "Pièces détachées d'origine et de qualité équivalente pour toutes les marques de voitures françaises et étrangères",
    },
  },
  {
    name: 'es: used vans',
    site: 'Utilitarios Centro',
    page: {
      locale: 'es',
      title: 'Furgonetas de segunda mano',
      content:
        '<p>Compre furgonetas de segunda mano revisadas y con un año de garantía. Todas las furgonetas tienen el historial de mantenimiento completo.</p><p>Ofrecemos furgonetas de reparto, mixtas y frigoríficas. Puede recogerlas en Madrid o recibirlas en su empresa.</p>',
    },
    editor: {
      keyphrases: ['furgonetas de segunda mano', 'furgonetas', 'furgoneta de segunda mano'],
      title: 'Furgonetas de segunda mano con garantía',
      titleNames: ['urgonetas de segunda mano'],
      description:
        'Compre furgonetas de segunda mano revisadas y con un año de garantía. Todas tienen el historial de mantenimiento completo.',
      descriptionNames: ['furgonetas'],
      slug: 'furgonetas-segunda-mano',
      slugWords: ['furgonetas', 'mano'],
      schemaType: 'CollectionPage',
      schemaName: 'Furgonetas de segunda mano',
    },
  },
  {
    name: 'es: lamps',
    site: 'Luz y Casa',
    page: {
      locale: 'es',
      title: 'Lámparas de pie para el salón',
      content:
        '<p>Las lámparas de pie dan al salón una luz cálida y agradable. Todas nuestras lámparas de pie funcionan con bombillas LED.</p><p>Elija entre modelos de lectura, de arco y de trípode. El envío es gratuito a partir de 60 euros. Las pantallas se pueden cambiar.</p>',
    },
    editor: {
      keyphrases: [
        'lámparas de pie',
        'lámparas de pie para el salón',
        'lámparas de pie para salón',
        'lámpara de pie',
      ],
      title: 'Lámparas de pie para el salón | Luz y Casa',
      titleNames: ['ámparas de pie'],
      description:
        'Las lámparas de pie dan al salón una luz cálida y agradable. Todas nuestras lámparas de pie funcionan con bombillas LED.',
      descriptionNames: ['lámparas de pie'],
      slug: 'lamparas-pie-salon',
      slugWords: ['lamparas', 'pie'],
      schemaType: 'CollectionPage',
      schemaName: 'Lámparas de pie para el salón',
    },
  },
  {
    name: 'es: mountain bikes',
    site: 'Bicis Sierra',
    page: {
      locale: 'es',
      title: 'Bicicletas de montaña',
      content:
        '<p>Nuestras bicicletas de montaña van desde modelos para principiantes hasta bicicletas de competición. Todas se entregan montadas y ajustadas.</p><p>Elija su bicicleta de montaña por talla, suspensión y diámetro de rueda. La primera revisión es gratuita.</p><h2>Qué talla necesito</h2><p>La talla depende de la altura y del largo de la pierna.</p>',
    },
    editor: {
      keyphrases: ['bicicletas de montaña', 'bicicleta de montaña'],
      title: 'Bicicletas de montaña montadas y ajustadas',
      titleNames: ['icicletas de montaña'],
      description:
        'Nuestras bicicletas de montaña van desde modelos para principiantes hasta bicicletas de competición. Se entregan montadas y ajustadas.',
      descriptionNames: ['bicicletas de montaña'],
      slug: 'bicicletas-montana',
      slugWords: ['bicicletas', 'montana'],
      schemaType: 'CollectionPage',
      schemaName: 'Bicicletas de montaña',
    },
  },
];
