import type { GoldenCase } from './GoldenCase.ts';

/** Articles of a magazine or a company. */
export const articles: readonly GoldenCase[] = [
  {
    name: 'en: how to store tyres',
    site: 'Tyre Guide',
    page: {
      locale: 'en',
      title: 'How to store winter tyres over the summer',
      content:
        '<p>Winter tyres age faster in the sun than on the road. If you store winter tyres in a cool, dry and dark place, they last two or three seasons longer.</p><h2>Clean the tyres first</h2><p>Remove stones from the tread and wash off brake dust. Let the tyres dry before you put them away. Mark the position of each wheel with chalk.</p><h2>Hang or stack</h2><p>Tyres on rims are hung on a wall or stacked flat. Tyres without rims stand upright and are turned once a month. A tyre bag keeps out light and ozone.</p>',
      images: [{ src: 'https://images.test/tyres.jpg', alt: 'Stacked tyres' }],
    },
    editor: {
      keyphrases: ['winter tyres', 'store winter tyres', 'storing winter tyres', 'winter tyre'],
      title: 'How to store winter tyres over the summer | Tyre Guide',
      titleNames: ['inter tyres', 'tore|torage'],
      description:
        'Winter tyres last two or three seasons longer if you store them in a cool, dry and dark place. Here is how to clean, mark and stack them.',
      descriptionNames: ['winter tyres'],
      slug: 'store-winter-tyres-summer',
      slugWords: ['winter', 'tyres'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'How to store winter tyres over the summer',
    },
  },
  {
    name: 'en: sourdough bread',
    site: 'Baker’s Notes',
    page: {
      locale: 'en-US',
      title: 'Sourdough bread for beginners: a recipe without special equipment',
      content:
        '<p>You can bake sourdough bread at home with flour, water and salt. All you need is a sourdough starter and a heavy pot with a lid.</p><h2>Feed the sourdough starter</h2><p>Mix the starter with fresh flour in the evening. In the morning it should float in a glass of water.</p><h2>Shape the dough</h2><p>Fold the dough four times in two hours. Then let it rest in the fridge overnight.</p><h2>Bake</h2><p>Heat the pot for forty minutes. Bake the sourdough bread with the lid on for half an hour and without it for twenty minutes.</p>',
      images: [{ src: 'https://images.test/bread.jpg', alt: 'Loaf' }],
    },
    editor: {
      keyphrases: [
        'sourdough bread',
        'sourdough bread for beginners',
        'sourdough bread recipe',
        'sourdough starter',
      ],
      title: 'Sourdough bread for beginners: a simple recipe',
      titleNames: ['ourdough bread', 'beginners|recipe'],
      description:
        'Bake sourdough bread at home with flour, water and salt. All you need is a sourdough starter and a heavy pot with a lid.',
      descriptionNames: ['sourdough bread'],
      slug: 'sourdough-bread-beginners-recipe',
      slugWords: ['sourdough', 'bread'],
      schemaType: 'Article|BlogPosting|NewsArticle|Recipe',
      schemaName: 'Sourdough bread for beginners: a recipe without special equipment',
    },
  },
  {
    name: 'en: a company news item with a greeting',
    site: 'Harbour Motors',
    page: {
      locale: 'en-GB',
      title: 'Harbour Motors opens a second workshop for electric cars in Bristol',
      content:
        '<p>Welcome to our news page! Harbour Motors has opened a second workshop in Bristol. It repairs electric cars of all makes and employs twelve mechanics.</p><p>The workshop has four lifts for electric cars and a separate room for battery repairs. Customers can charge their cars for free during a repair.</p><p>Appointments can be booked online. The first inspection is free until the end of June.</p>',
      images: [],
    },
    editor: {
      keyphrases: [
        'electric cars',
        'workshop for electric cars',
        'second workshop',
        'electric car workshop',
        'Harbour Motors',
      ],
      title: 'Harbour Motors opens electric car workshop in Bristol',
      titleNames: ['Harbour Motors', 'workshop'],
      description:
        'Harbour Motors has opened a second workshop in Bristol. It repairs electric cars of all makes and employs twelve mechanics.',
      descriptionNames: ['workshop', 'electric cars'],
      slug: 'second-workshop-electric-cars-bristol',
      slugWords: ['workshop', 'electric'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Harbour Motors opens a second workshop for electric cars in Bristol',
    },
  },
  {
    name: 'en: a question as title and a verb that is frequent',
    site: 'Garden Weekly',
    page: {
      locale: 'en',
      title: 'When should you prune apple trees?',
      content:
        '<p>Apple trees are pruned in late winter, before the buds open. Make sure that the temperature stays above minus five degrees. Make sure that your saw is clean and sharp.</p><p>Young apple trees need a strong cut, because it decides the shape of the crown. Old trees need a light cut only. Make sure that you cut just above a bud that points outwards.</p><h2>Summer pruning</h2><p>In August, remove upright shoots. This lets light reach the apples and slows the growth of strong trees.</p>',
      images: [{ src: 'https://images.test/apple.jpg', alt: '' }],
    },
    editor: {
      keyphrases: ['apple trees', 'prune apple trees', 'pruning apple trees', 'apple tree'],
      title: 'When should you prune apple trees? | Garden Weekly',
      titleNames: ['pple trees', 'prun|Prun'],
      description:
        'Apple trees are pruned in late winter, before the buds open. Young trees need a strong cut, old ones a light cut only.',
      descriptionNames: ['apple trees'],
      slug: 'prune-apple-trees',
      slugWords: ['apple', 'trees'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'When should you prune apple trees?',
    },
  },
  {
    name: 'de: heat pumps in old buildings',
    site: 'Energieberatung Süd',
    page: {
      locale: 'de',
      title: 'Wärmepumpe im Altbau: Wann sich der Umstieg lohnt',
      content:
        '<p>Eine Wärmepumpe im Altbau arbeitet wirtschaftlich, wenn die Vorlauftemperatur unter 55 Grad bleibt. Dafür genügen oft größere Heizkörper in zwei oder drei Räumen.</p><h2>Kosten der Wärmepumpe</h2><p>Die Anschaffung kostet zwischen 25.000 und 35.000 Euro. Der Staat übernimmt bis zu 70 Prozent. Die Wärmepumpe senkt danach die Heizkosten um etwa ein Drittel.</p><h2>Vorbereitung</h2><p>Ein Energieberater misst die Heizlast jedes Raums. Danach wird entschieden, ob eine Dämmung der Fassade nötig ist.</p>',
      images: [{ src: 'https://images.test/pumpe.jpg', alt: 'Wärmepumpe' }],
    },
    editor: {
      keyphrases: ['Wärmepumpe im Altbau', 'Wärmepumpe Altbau', 'Wärmepumpe'],
      title: 'Wärmepumpe im Altbau: Wann sich der Umstieg lohnt',
      titleNames: ['Wärmepumpe', 'Altbau'],
      description:
        'Eine Wärmepumpe im Altbau arbeitet wirtschaftlich, wenn die Vorlauftemperatur unter 55 Grad bleibt. Kosten und Vorbereitung im Überblick.',
      descriptionNames: ['wärmepumpe'],
      slug: 'waermepumpe-altbau-umstieg',
      slugWords: ['waermepumpe', 'altbau'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Wärmepumpe im Altbau: Wann sich der Umstieg lohnt',
    },
  },
  {
    name: 'de: buying a used car',
    site: 'Autohaus Weber',
    page: {
      locale: 'de',
      title:
        'Gebrauchtwagen kaufen: Zehn Punkte, die Sie vor der Unterschrift unter den Kaufvertrag prüfen sollten',
      content:
        '<p>Wer einen Gebrauchtwagen kauft, prüft zuerst die Papiere. Die Fahrgestellnummer im Fahrzeugschein muss mit der Nummer am Fahrzeug übereinstimmen.</p><h2>Probefahrt</h2><p>Fahren Sie mindestens eine halbe Stunde, auch auf der Autobahn. Achten Sie auf Geräusche aus dem Getriebe.</p><h2>Kaufvertrag</h2><p>Im Kaufvertrag stehen Kilometerstand, Unfallschäden und Zubehör. Ein Händler haftet zwölf Monate für Mängel des Gebrauchtwagens, ein privater Verkäufer meist nicht.</p>',
      images: [],
    },
    editor: {
      keyphrases: ['Gebrauchtwagen', 'Gebrauchtwagen kaufen', 'Gebrauchtwagenkauf', 'Kaufvertrag'],
      title: 'Gebrauchtwagen kaufen: zehn Punkte vor der Unterschrift',
      titleNames: ['Gebrauchtwagen'],
      description:
        'Wer einen Gebrauchtwagen kauft, prüft zuerst die Papiere. Worauf es bei Probefahrt und Kaufvertrag ankommt, lesen Sie hier.',
      descriptionNames: ['gebrauchtwagen'],
      slug: 'gebrauchtwagen-kaufen-zehn-punkte',
      slugWords: ['gebrauchtwagen'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName:
        'Gebrauchtwagen kaufen: Zehn Punkte, die Sie vor der Unterschrift unter den Kaufvertrag prüfen sollten',
    },
  },
  {
    name: 'de: hiking in the Alps',
    site: 'Bergfreunde',
    page: {
      locale: 'de-CH',
      title: 'Drei leichte Wanderungen rund um Zermatt',
      content:
        '<p>Rund um Zermatt gibt es leichte Wanderungen für Familien. Alle drei Wege beginnen an einer Bergbahn und dauern höchstens drei Stunden.</p><h2>Fünf-Seen-Weg</h2><p>Der Fünf-Seen-Weg zeigt das Matterhorn in klarem Wasser. Am Grindjisee stehen Bänke für die Rast.</p><h2>Gornerschlucht</h2><p>Holzstege führen durch die Gornerschlucht. Für Kinderwagen ist der Weg nicht geeignet.</p><h2>Weg nach Zmutt</h2><p>Die Wanderung nach Zmutt führt durch Lärchenwald. Im Weiler gibt es Käse aus eigener Herstellung.</p>',
      images: [{ src: 'https://images.test/zermatt.jpg', alt: 'Matterhorn' }],
    },
    editor: {
      keyphrases: [
        'leichte Wanderungen',
        'Wanderungen rund um Zermatt',
        'Wanderungen Zermatt',
        'leichte Wanderungen rund um Zermatt',
        'Wanderungen in Zermatt',
        'Fünf-Seen-Weg',
      ],
      title: 'Drei leichte Wanderungen rund um Zermatt | Bergfreunde',
      titleNames: ['Wanderungen', 'Zermatt'],
      description:
        'Rund um Zermatt gibt es leichte Wanderungen für Familien. Alle drei Wege beginnen an einer Bergbahn und dauern höchstens drei Stunden.',
      descriptionNames: ['wanderungen', 'zermatt'],
      slug: 'leichte-wanderungen-zermatt',
      slugWords: ['wanderungen', 'zermatt'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Drei leichte Wanderungen rund um Zermatt',
    },
  },
  {
    name: 'de: a compound with a hyphen, keyphrase given',
    site: 'Velo-Werkstatt',
    page: {
      locale: 'de',
      title: 'So lädt man den Akku richtig',
      keyphrase: 'E-Bike-Akku laden',
      content:
        '<p>Ein E-Bike-Akku hält länger, wenn er zwischen 30 und 80 Prozent geladen bleibt. Wer den E-Bike-Akku laden will, nimmt ihn im Winter mit in die Wohnung.</p><p>Volle Ladung ist nur vor einer langen Tour sinnvoll. Ein tief entladener Akku altert schnell und lässt sich im schlimmsten Fall nicht mehr laden.</p><h2>Lagerung im Winter</h2><p>Lagern Sie den Akku bei zehn bis fünfzehn Grad. Laden Sie ihn alle zwei Monate nach.</p>',
      images: [{ src: 'https://images.test/akku.jpg', alt: null }],
    },
    editor: {
      keyphrases: ['E-Bike-Akku laden', 'E-Bike-Akku'],
      title: 'E-Bike-Akku laden: So lädt man den Akku richtig',
      titleNames: ['E-Bike-Akku'],
      description:
        'Ein E-Bike-Akku hält länger, wenn er zwischen 30 und 80 Prozent geladen bleibt. Volle Ladung ist nur vor einer langen Tour sinnvoll.',
      descriptionNames: ['e-bike-akku'],
      slug: 'e-bike-akku-laden',
      slugWords: ['akku', 'laden|laedt'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'So lädt man den Akku richtig',
    },
  },
  {
    name: 'fr: choosing a mattress',
    site: 'Maison Pratique',
    page: {
      locale: 'fr',
      title: 'Comment choisir son matelas à mémoire de forme',
      content:
        "<p>Un matelas à mémoire de forme s'adapte au corps et soulage les épaules. Il convient aux personnes qui dorment sur le côté.</p><h2>La densité</h2><p>La densité d'un matelas à mémoire de forme se situe entre 50 et 85 kg par mètre cube. Plus elle est élevée, plus le matelas dure.</p><h2>La fermeté</h2><p>La fermeté dépend du poids du dormeur. Il est conseillé d'essayer le matelas pendant trente nuits avant de décider.</p>",
      images: [{ src: 'https://images.test/matelas.jpg', alt: 'Matelas' }],
    },
    editor: {
      keyphrases: [
        'matelas à mémoire de forme',
        'matelas mémoire de forme',
        'choisir son matelas',
        'mémoire de forme',
        'matelas',
      ],
      title: 'Comment choisir son matelas à mémoire de forme',
      titleNames: ['atelas', 'mémoire de forme'],
      description:
        "Un matelas à mémoire de forme s'adapte au corps et soulage les épaules. Densité, fermeté et essai : les points à vérifier.",
      descriptionNames: ['matelas à mémoire de forme'],
      slug: 'choisir-matelas-memoire-forme',
      slugWords: ['matelas', 'memoire', 'forme'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Comment choisir son matelas à mémoire de forme',
    },
  },
  {
    name: 'fr: visiting a city',
    site: 'Carnets de route',
    page: {
      locale: 'fr',
      title: 'Un week-end à Strasbourg : que voir en deux jours ?',
      content:
        "<p>Un week-end à Strasbourg suffit pour découvrir la cathédrale et la Petite France. Le centre historique se visite à pied.</p><h2>Samedi : la cathédrale</h2><p>La plateforme de la cathédrale offre une vue sur toute l'Alsace. L'horloge astronomique s'anime à 12 h 30.</p><h2>Dimanche : la Petite France</h2><p>Les maisons à colombages de la Petite France datent du XVIe siècle. Une promenade en bateau dure une heure et dix minutes.</p><p>Pour dormir, choisissez un hôtel près de la gare de Strasbourg.</p>",
      images: [],
    },
    editor: {
      keyphrases: [
        'week-end à Strasbourg',
        'Strasbourg',
        'Petite France',
        'week-end Strasbourg',
        'un week-end à Strasbourg',
      ],
      title: 'Un week-end à Strasbourg : que voir en deux jours ?',
      titleNames: ['eek-end à Strasbourg'],
      description:
        'Un week-end à Strasbourg suffit pour découvrir la cathédrale et la Petite France. Le centre historique se visite à pied.',
      descriptionNames: ['strasbourg'],
      slug: 'week-end-strasbourg-deux-jours',
      slugWords: ['strasbourg'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Un week-end à Strasbourg : que voir en deux jours ?',
    },
  },
  {
    name: 'fr: vehicle inspection',
    site: 'Autos de Provence',
    page: {
      locale: 'fr',
      title:
        'Contrôle technique : les cinq défauts les plus fréquents et comment les éviter avant le rendez-vous',
      content:
        "<p>Le contrôle technique est obligatoire tous les deux ans. Une voiture sur cinq doit passer une contre-visite, souvent pour un défaut simple.</p><h2>Les feux</h2><p>Vérifiez tous les feux avant le contrôle technique. Une ampoule coûte moins cher qu'une contre-visite.</p><h2>Les pneus</h2><p>La profondeur des sculptures doit atteindre 1,6 mm. Deux pneus du même essieu sont identiques.</p><h2>Les freins</h2><p>Un déséquilibre de plus de 30 % entraîne une contre-visite.</p>",
      images: [],
    },
    editor: {
      keyphrases: ['contrôle technique', 'contre-visite', 'défauts du contrôle technique'],
      title: 'Contrôle technique : les cinq défauts les plus fréquents',
      titleNames: ['ontrôle technique', 'défauts'],
      description:
        'Le contrôle technique est obligatoire tous les deux ans. Feux, pneus, freins : évitez la contre-visite en les vérifiant vous-même.',
      descriptionNames: ['contrôle technique'],
      slug: 'controle-technique-defauts-frequents',
      slugWords: ['controle', 'technique'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName:
        'Contrôle technique : les cinq défauts les plus fréquents et comment les éviter avant le rendez-vous',
    },
  },
  {
    name: 'fr: solar panels',
    site: 'Énergie Claire',
    page: {
      locale: 'fr',
      title: 'Panneaux solaires : faut-il une autorisation ?',
      content:
        "<p>La pose de panneaux solaires demande une déclaration préalable à la mairie. La réponse arrive en un mois.</p><p>Dans un secteur protégé, l'architecte des bâtiments de France donne son avis. Il peut exiger des panneaux noirs ou une pose à plat.</p><h2>Sans autorisation</h2><p>Les panneaux solaires posés au sol à moins de 1,80 m ne demandent aucune formalité. L'assurance de la maison doit toutefois connaître l'installation.</p>",
      images: [{ src: 'https://images.test/toit.jpg', alt: 'Toit' }],
    },
    editor: {
      keyphrases: ['panneaux solaires', 'pose de panneaux solaires', 'autorisation panneaux solaires'],
      title: 'Panneaux solaires : faut-il une autorisation ?',
      titleNames: ['anneaux solaires', 'autorisation'],
      description:
        'La pose de panneaux solaires demande une déclaration préalable à la mairie. La réponse arrive en un mois. Les exceptions à connaître.',
      descriptionNames: ['panneaux solaires'],
      slug: 'panneaux-solaires-autorisation',
      slugWords: ['panneaux', 'solaires'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Panneaux solaires : faut-il une autorisation ?',
    },
  },
  {
    name: 'es: olive oil',
    site: 'Cocina del Sur',
    page: {
      locale: 'es',
      title: 'Cómo conservar el aceite de oliva virgen extra',
      content:
        '<p>El aceite de oliva virgen extra pierde aroma con la luz, el calor y el aire. Guardado en una botella oscura, dura más de un año.</p><h2>La temperatura</h2><p>La despensa debe estar entre 15 y 20 grados. En la nevera el aceite de oliva se vuelve turbio, pero recupera su aspecto.</p><h2>El envase</h2><p>La lata y el vidrio oscuro protegen mejor que el plástico. Cierre siempre el tapón después de usar el aceite.</p>',
      images: [{ src: 'https://images.test/aceite.jpg', alt: 'Botella' }],
    },
    editor: {
      keyphrases: ['aceite de oliva virgen extra', 'aceite de oliva', 'conservar el aceite de oliva'],
      title: 'Cómo conservar el aceite de oliva virgen extra',
      titleNames: ['aceite de oliva|Aceite de oliva'],
      description:
        'El aceite de oliva virgen extra pierde aroma con la luz, el calor y el aire. Guardado en una botella oscura, dura más de un año.',
      descriptionNames: ['aceite de oliva'],
      slug: 'conservar-aceite-oliva-virgen-extra',
      slugWords: ['aceite', 'oliva'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Cómo conservar el aceite de oliva virgen extra',
    },
  },
  {
    name: 'es: car insurance',
    site: 'Seguro Fácil',
    page: {
      locale: 'es',
      title: 'Seguro de coche a terceros o a todo riesgo: cuál conviene según la edad del vehículo',
      content:
        '<p>El seguro de coche a todo riesgo conviene durante los primeros cuatro años. Después, el precio supera a menudo el valor de una reparación.</p><h2>Seguro a terceros</h2><p>El seguro a terceros cubre los daños a otras personas. Con lunas, robo e incendio cuesta poco más.</p><h2>La franquicia</h2><p>Una franquicia de 300 euros reduce el precio del seguro de coche hasta un 40 %. Es útil para conductores con pocos partes.</p>',
      images: [],
    },
    editor: {
      keyphrases: [
        'seguro de coche',
        'seguro a terceros',
        'seguro de coche a terceros',
        'seguro de coche a todo riesgo',
        'seguro a todo riesgo',
      ],
      title: 'Seguro de coche: a terceros o a todo riesgo',
      titleNames: ['eguro de coche'],
      description:
        'El seguro de coche a todo riesgo conviene durante los primeros cuatro años. Qué cubre cada seguro y cuánto ahorra la franquicia.',
      descriptionNames: ['seguro de coche'],
      slug: 'seguro-coche-terceros-todo-riesgo',
      slugWords: ['seguro', 'coche'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Seguro de coche a terceros o a todo riesgo: cuál conviene según la edad del vehículo',
    },
  },
  {
    name: 'es: teleworking',
    site: 'Oficina Abierta',
    page: {
      locale: 'es',
      title: 'La silla de oficina ideal para el teletrabajo',
      content:
        '<p>Una buena silla de oficina evita el dolor de espalda durante el teletrabajo. El respaldo debe seguir la curva de la columna.</p><p>Antes de comprar una silla de oficina, mida la altura de la mesa. Los pies deben apoyarse en el suelo y los codos en la mesa.</p><h2>Ajustes</h2><p>El asiento se regula en altura y profundidad. Los reposabrazos se regulan en tres direcciones.</p>',
      images: [{ src: 'https://images.test/silla.jpg', alt: 'Silla' }],
    },
    editor: {
      keyphrases: [
        'silla de oficina',
        'silla de oficina ideal',
        'silla de oficina para teletrabajo',
        'sillas de oficina',
      ],
      title: 'La silla de oficina ideal para el teletrabajo',
      titleNames: ['illa de oficina', 'teletrabajo'],
      description:
        'Una buena silla de oficina evita el dolor de espalda durante el teletrabajo. El respaldo debe seguir la curva de la columna.',
      descriptionNames: ['silla de oficina'],
      slug: 'silla-oficina-teletrabajo',
      slugWords: ['silla', 'oficina'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'La silla de oficina ideal para el teletrabajo',
    },
  },
];
