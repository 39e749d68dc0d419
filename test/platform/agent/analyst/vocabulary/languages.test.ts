import { describe, expect, it } from 'vitest';
import { isOtherLanguage, toEnglish } from '../../../../../src/platform/agent/analyst/vocabulary/languages.js';

// cspell:disable
describe('the words of a question that the model does not contain', () => {
  it.each([
    ['Umsatz nach Region', 'Umsatz by Region'],
    ['Wie viele Verkäufe gab es pro Monat?', 'how many Verkäufe were there per month?'],
    ['Wie hoch war der Umsatz im letzten Jahr?', 'what was the Umsatz in last year?'],
    ['Umsatz im Jahr 2017', 'Umsatz in year 2017'],
    ['Vergleiche den Umsatz in Q1 2017 mit Q2 2017', 'compare the Umsatz in Q1 2017 with Q2 2017'],
    ['Umsatz im März 2017 im Vergleich zum Februar 2017', 'Umsatz in March 2017 compared with February 2017'],
    ['Umsatz in West gegen East', 'Umsatz in West versus East'],
    ['Welche Region hat den höchsten Umsatz?', 'which Region has the highest Umsatz?'],
    ['Top 5 Bundesstaaten nach Umsatz', 'Top 5 Bundesstaaten by Umsatz'],
    ['Durchschnittlicher Umsatz pro Kategorie', 'average Umsatz per Kategorie'],
    ['Anteil von Furniture am Umsatz', 'share of Furniture on Umsatz'],
    ['Wie viel Prozent der Verkäufe sind First Class?', 'what percent of Verkäufe are First Class?'],
    ['Verkäufe ohne Rabatt', 'Verkäufe without Rabatt'],
    ['Wie viele Verkäufe hatten keinen Rabatt?', 'how many Verkäufe had no Rabatt?'],
    ['Verkäufe mit einem Umsatz über 500', 'Verkäufe with a Umsatz over 500'],
    ['Wie hat sich der Umsatz von 2016 zu 2017 verändert?', 'how has  the Umsatz from 2016 to 2017 changed?'],
    ['Umsatz und Gewinn nach Kategorie', 'Umsatz and Gewinn by Kategorie'],
    ['Umsatz ohne Furniture', 'Umsatz without Furniture'],
    ['Wie viele Furniture wurden verkauft?', 'how many Furniture were sold?'],
    ['Anteil von Furniture nach Jahr', 'share of Furniture by year'],
    ['Umsatz in Texas oder California nach Monat', 'Umsatz in Texas or California by month'],
    ['und nach Region?', 'and by Region?'],
    ['Wie läuft es?', 'how are we doing?'],
    ['Umsatz am Montag', 'Umsatz on Monday'],
    ['Importe por región', 'Importe by región'],
    ['¿Cuántas ventas hubo por mes?', '¿how many ventas were there by month?'],
    ['¿Cuál fue el importe en 2017?', '¿what was the importe in 2017?'],
    [
      'Compara el importe del primer trimestre de 2017 con el segundo trimestre de 2017',
      'compare the importe of first quarter of 2017 with the second quarter of 2017',
    ],
    [
      'Importe en marzo de 2017 comparado con febrero de 2017',
      'Importe in March of 2017 compared with February of 2017',
    ],
    ['Importe en West frente a East', 'Importe in West versus East'],
    ['¿Qué región tiene el mayor importe?', '¿which región has the highest importe?'],
    ['Los 5 estados con más importe', 'the 5 estados with most importe'],
    ['Importe medio por categoría', 'Importe average by categoría'],
    ['Porcentaje de ventas que son First Class', 'percentage of ventas that are First Class'],
    ['Proporción de Furniture en el importe', 'share of Furniture in the importe'],
    ['Ventas sin descuento', 'Ventas without descuento'],
    ['¿Cuántas ventas tienen un importe superior a 500?', '¿how many ventas have a importe more than 500?'],
    ['¿Cómo cambió el importe de 2016 a 2017?', '¿how changed the importe from 2016 to 2017?'],
    ['Importe y beneficio por categoría', 'Importe and beneficio by categoría'],
    ['Importe sin Furniture', 'Importe without Furniture'],
    ['¿Cuántos Furniture se vendieron?', '¿how many Furniture were sold?'],
    ['Importe total en Texas o California por mes', 'Importe total in Texas or California by month'],
    ['Evolución del importe', 'trend of importe'],
    ['¿Por qué subió el importe en marzo de 2017?', '¿why rose the importe in March of 2017?'],
    ['Importe el mes pasado', 'Importe the last month'],
    ['Bénéfice par région', 'Bénéfice by région'],
    ['Combien de ventes par mois ?', 'how many ventes by month ?'],
    ['Quel était le bénéfice en 2017 ?', 'what was the bénéfice in 2017 ?'],
    [
      'Compare le bénéfice du premier trimestre 2017 avec le deuxième trimestre 2017',
      'compare the bénéfice of first quarter 2017 with the second quarter 2017',
    ],
    ['Bénéfice en mars 2017 par rapport à février 2017', 'Bénéfice in March 2017 compared with February 2017'],
    ['Bénéfice West contre East', 'Bénéfice West versus East'],
    ['Quelle région a le bénéfice le plus élevé ?', 'which région has the bénéfice highest ?'],
    ['Les 5 états avec le plus de bénéfice', 'the 5 états with most of bénéfice'],
    ['Quantité moyenne par catégorie', 'Quantité average by catégorie'],
    ['Quel pourcentage des ventes est First Class ?', 'what percentage of ventes is First Class ?'],
    ['Part de Furniture dans le bénéfice', 'share of Furniture in the bénéfice'],
    ['Ventes sans remise', 'Ventes without remise'],
    ['Combien de ventes ont un bénéfice supérieur à 500 ?', 'how many ventes have a bénéfice more than 500 ?'],
    ['Comment le bénéfice a-t-il changé de 2016 à 2017 ?', 'how the bénéfice has changed from 2016 to 2017 ?'],
    ['Bénéfice et quantité par catégorie', 'Bénéfice and quantité by catégorie'],
    ['Bénéfice sans Furniture', 'Bénéfice without Furniture'],
    ['Évolution du bénéfice', 'trend of bénéfice'],
    ['Bénéfice le mois dernier', 'Bénéfice the last month'],
    ['Bénéfice par région en T2 2017', 'Bénéfice by région in Q2 2017'],
    ['Bénéfice par région du 2e trimestre 2017', 'Bénéfice by région of Q2 2017'],
    ['Importe por región en T3 de 2017', 'Importe by región in Q3 of 2017'],
    ['Umsatz nach Region im 2. Quartal 2017', 'Umsatz by Region in Q2 2017'],
    ['Umsatz nach Region im zweiten Quartal 2017', 'Umsatz by Region in second quarter 2017'],
    ['Umsatz nach Terminal T2', 'Umsatz by Terminal T2'],
  ])('“%s” become English', (text, english) => {
    expect(toEnglish(text)).toBe(english);
  });

  it('include the end of a German compound whose first noun is in the model', () => {
    const isKnown = (word: string) => ['Umsatz', 'Marktanteil'].includes(word);
    expect(toEnglish('Umsatzanteil nach Region', isKnown)).toBe('share of Umsatz by Region');
    expect(toEnglish('Marktanteil nach Region', isKnown)).toBe('Marktanteil by Region');
    expect(toEnglish('Marktentwicklung nach Region', isKnown)).toBe('Marktentwicklung by Region');
  });

  it.each([
    'flights per month',
    'media sales by region',
    'Die Hard movies by year',
    'top 5 cities by sales',
    'San Francisco and Los Angeles compared',
    'share of sin taxes in revenue',
  ])('of “%s” remain', text => {
    expect(toEnglish(text)).toBe(text);
  });

  it('may belong to a language that the analyst does not understand', () => {
    expect(isOtherLanguage(['Quanti', 'voli', 'sono'])).toBe(true);
    expect(isOtherLanguage(['houve', 'vendas', 'mês'])).toBe(true);
    expect(isOtherLanguage(['hoeveel', 'vluchten', 'waren'])).toBe(true);
    expect(isOtherLanguage(['売上'])).toBe(true);
    expect(isOtherLanguage(['media', 'heaviest'])).toBe(false);
  });
});
