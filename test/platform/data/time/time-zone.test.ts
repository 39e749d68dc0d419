import { describe, expect, it, vi } from 'vitest';
import {
  DayEdge,
  findTimezone,
  localTime,
  type TimeZone,
  TimeZones,
  utcTime,
} from '../../../../src/platform/data/time/time-zone.js';
import fc from '../../../property.js';

function zoneOf(name: string): TimeZone {
  const zone = findTimezone(name);
  if (!zone) throw new Error(`no time zone ${name}`);
  return zone;
}

describe('a time zone', () => {
  it('is cached, with a limit', () => {
    const zones = new TimeZones();
    const berlin = zones.find('Europe/Berlin');
    expect(zones.find('Europe/Berlin')).toBe(berlin);
    expect(zones.find('Mars/Olympus')).toBeUndefined();
    for (const name of Intl.supportedValuesOf('timeZone').slice(0, 100)) zones.find(name);
    expect(zones.find('Europe/Berlin')).not.toBe(berlin);
    expect(zones.find('Europe/Berlin')?.name).toBe('Europe/Berlin');
  });

  it.each([
    ['UTC', 'UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['US/Pacific', 'America/Los_Angeles'],
  ])('%s resolves to %s', (name, canonical) => {
    expect(findTimezone(name)?.name).toBe(canonical);
  });

  it.each(['', '+05:30', 'Mars/Olympus', "UTC'", 'Europe/Berlin\n', 'x'.repeat(100), '../UTC'])(
    '%j is not known',
    name => {
      expect(findTimezone(name)).toBeUndefined();
    },
  );
});

describe('a local time', () => {
  it.each([
    ['2001-02-03', 'start', '2001-02-03T00:00:00.000'],
    ['2001-02-03', 'end', '2001-02-03T23:59:59.999'],
    ['2001-02-03T04:05', 'end', '2001-02-03T04:05:00.000'],
    ['2001-02-03 04:05:06.7', 'end', '2001-02-03T04:05:06.700'],
    ['2001-02-03T04:05:06.123456', 'start', '2001-02-03T04:05:06.123'],
    ['2001-02-03T04:05:06Z', 'start', '2001-02-03T05:05:06.000'],
    ['2001-02-03T04:05:06-05:00', 'start', '2001-02-03T10:05:06.000'],
  ] as const)('of %s (%s) in Berlin is %s', (text, edge, local) => {
    expect(localTime(text, edge, zoneOf('Europe/Berlin'))).toBe(local);
  });

  it.each([
    '',
    'today',
    '2001',
    '2001-2-3',
    '2001-02-29',
    '2001-13-01',
    '2001-02-03T24:00',
    '2001-02-03T00:60',
    '0001-01-01',
    '2001-02-03T04:05:06+0100',
    '2001-02-03\n',
  ])('is not parsed from %j', text => {
    expect(localTime(text, 'start', zoneOf('UTC'))).toBeUndefined();
  });

  it.each([
    ['2001-01-01T00:00:00.000', '2000-12-31T23:00:00.000'],
    ['2001-07-01T00:00:00.000', '2001-06-30T22:00:00.000'],
    ['2001-03-25T01:59:59.999', '2001-03-25T00:59:59.999'],
    ['2001-03-25T03:00:00.000', '2001-03-25T01:00:00.000'],
    ['2001-10-28T03:30:00.000', '2001-10-28T02:30:00.000'],
    ['9999-12-31T23:59:59.999', '9999-12-31T22:59:59.999'],
  ])('%s in Berlin is %s in UTC', (local, utc) => {
    expect(utcTime(local, zoneOf('Europe/Berlin'))).toBe(utc);
  });

  it("of the last year stays within the engine's range of years", () => {
    expect(utcTime('9999-12-31T23:59:59.999', zoneOf('America/New_York'))).toBe('9999-12-31T23:59:59.999');
  });

  it('converts to UTC and back, except at clock changes', () => {
    const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu');
    // Clocks never change in the middle of a month at noon.
    const date = fc.tuple(fc.integer({ min: 1990, max: 2030 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(zones, date, (name, [year, month]) => {
        const zone = zoneOf(name);
        const local = `${year}-${String(month).padStart(2, '0')}-20T12:34:56.789`;
        expect(localTime(`${utcTime(local, zone)}Z`, 'start', zone)).toBe(local);
      }),
    );
  });

  it('is exact to the second before time zones were standardized', () => {
    expect(utcTime('1850-01-01T00:00:00.000', zoneOf('America/New_York'))).toBe('1850-01-01T04:56:02.000');
    expect(utcTime('1850-01-01T00:00:00.000', zoneOf('Asia/Kolkata'))).toBe('1849-12-31T18:06:32.000');
  });

  it('is converted with one lookup', () => {
    const zone = zoneOf('Europe/Berlin');
    const clocks: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    const looks = vi.spyOn(clocks, 'format', 'get');
    expect(utcTime('2001-02-03T00:00:00.000', zone)).toBe('2001-02-02T23:00:00.000');
    const first = looks.mock.calls.length;
    expect(first).toBeGreaterThan(0);
    expect(utcTime('2001-02-03T00:00:00.000', zone)).toBe('2001-02-02T23:00:00.000');
    expect(looks).toHaveBeenCalledTimes(first);
    // Many other offsets evict the cached one, because the size of the cache is limited.
    for (let day = 0; day < 2000; day += 1) zone.offsetAt(day * 86_400_000);
    expect(utcTime('2001-02-03T00:00:00.000', zone)).toBe('2001-02-02T23:00:00.000');
    expect(looks.mock.calls.length).toBeGreaterThan(first + 2000);
    looks.mockRestore();
  });

  it('reuses the formatter of a known zone, because creating one is slow', () => {
    const zone = zoneOf('Europe/Berlin');
    const lookUp = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(() => {
      throw new Error('looked up again');
    });
    expect(utcTime('2001-02-03T00:00:00.000', zone)).toBe('2001-02-02T23:00:00.000');
    expect(localTime('2001-02-03T00:00:00Z', 'start', zone)).toBe('2001-02-03T01:00:00.000');
    lookUp.mockRestore();
  });
});

describe('a day on which the clock changes at midnight', () => {
  const day = (zone: string, date: string) => {
    const timezone = findTimezone(zone);
    if (!timezone) throw new Error(zone);
    return [
      utcTime(`${date}T00:00:00.000`, timezone, DayEdge.start),
      utcTime(`${date}T23:59:59.999`, timezone, DayEdge.end),
    ];
  };

  it.each([
    // Clocks skip 00:00, so the day has 23 hours.
    ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00.000', '2024-09-09T02:59:59.999'],
    // Clocks are set back at 24:00, so the last hour repeats.
    ['America/Santiago', '2024-04-06', '2024-04-06T03:00:00.000', '2024-04-07T03:59:59.999'],
    ['America/Santiago', '2024-04-07', '2024-04-07T04:00:00.000', '2024-04-08T03:59:59.999'],
    ['Europe/Berlin', '2024-10-27', '2024-10-26T22:00:00.000', '2024-10-27T22:59:59.999'],
    ['America/New_York', '2024-03-10', '2024-03-10T05:00:00.000', '2024-03-11T03:59:59.999'],
    ['UTC', '2024-03-10', '2024-03-10T00:00:00.000', '2024-03-10T23:59:59.999'],
  ])('in %s, %s, is covered completely', (zone, date, from, to) => {
    expect(day(zone, date)).toEqual([from, to]);
  });
});
