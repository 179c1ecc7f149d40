import { dark, light, type Palette } from './palette.ts';

export type Theme = 'auto' | 'light' | 'dark';

const sans = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

export const sizes = { title: 15, text: 12, label: 12, note: 11, small: 10.5 } as const;

/** The rules of a drawing. They hold for it alone, also where drawings of other themes stand in the same page. */
export function styleOf(theme: Theme): string {
  const scope = `.toolstream-${theme}`;
  const fonts = [
    `text{font-family:${sans};font-size:${sizes.note}px}`,
    `.title{font-size:${sizes.title}px;font-weight:600}`,
    `.headline,.problem{font-size:${sizes.text}px}`,
    `.label{font-family:${mono};font-size:${sizes.label}px}`,
    `.model{font-weight:600}`,
    `.tick,.round{font-size:${sizes.small}px}`,
    `.round{font-weight:600}`,
    // Legible over the lines of the axis.
    `.round,.note{paint-order:stroke;stroke-width:3;stroke-linejoin:round}`,
    `.inside{font-size:${sizes.small}px;font-weight:600}`,
    `.sign{fill:none;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}`,
  ];
  const rules = (palette: Palette) => [...colours(palette)].map((rule) => `${scope} ${rule}`).join('');
  const shared = fonts.map((rule) => rule.replace(/(^|,)(?=[.t])/g, `$1${scope} `)).join('');
  if (theme !== 'auto') return shared + rules(theme === 'dark' ? dark : light);
  return `${shared}${rules(light)}@media(prefers-color-scheme:dark){${rules(dark)}}`;
}

const stretches = ['text', 'thought', 'writing', 'retrieval', 'waiting', 'approval', 'within'] as const;
const dashed: ReadonlySet<string> = new Set(['waiting', 'approval', 'within']);

function* colours(palette: Palette): Generator<string, void> {
  const { ground, border, band, grid, ink, muted, ok, error, stopped, undone, attention } = palette;
  yield `.ground{fill:${ground};stroke:${border}}`;
  yield `.band{fill:${band}}`;
  yield `.grid{stroke:${grid}}`;
  yield `text{fill:${muted}}`;
  yield `.strong{fill:${ink}}`;
  yield `.problem{fill:${error}}`;
  yield `.round{stroke:${band}}`;
  yield `.note{stroke:${band}}`;
  for (const kind of stretches) {
    const [fill, edge] = palette[kind];
    yield `.bar-${kind}{fill:${fill}${dashed.has(kind) ? `;stroke:${edge};stroke-dasharray:3 2.5` : ''}}`;
    if (kind === 'text' || kind === 'thought') yield `.pieces-${kind}{stroke:${edge};stroke-width:1.3}`;
  }
  yield `.bar-running{fill:${ok}}`;
  yield `.bar-failing{fill:${error}}`;
  yield `.bar-stopped{fill:${stopped}}`;
  yield `.bar-dropped{fill:${ground};stroke:${palette.waiting[1]}}`;
  yield `.line-dropped{stroke:${palette.waiting[1]}}`;
  yield `.line-request{stroke:${palette.waiting[1]};stroke-width:2;stroke-dasharray:.1 5;stroke-linecap:round}`;
  yield `.line-delay{stroke:${attention};stroke-width:2;stroke-dasharray:5 4}`;
  yield `.line-standing{stroke:${undone};stroke-width:1.5;stroke-dasharray:2 3}`;
  yield `.progress{fill:${ground}}`;
  yield `.progress-alone{fill:${ok}}`;
  yield `.inside{fill:${ground}}`;
  yield `.mark{stroke:${ground};stroke-width:1.5}`;
  yield `.sign{stroke:${ground}}`;
  const marks = {
    ok,
    error,
    notUndone: error,
    cancelled: stopped,
    denied: attention,
    undone,
    retry: attention,
    restart: undone,
    running: palette.text[1],
  };
  for (const [kind, colour] of Object.entries(marks)) yield `.mark-${kind}{fill:${colour}}`;
}
