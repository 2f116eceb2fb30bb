"""plot - draws growth curves as an SVG: nanoseconds per event over the number of events, readable on light and dark
backgrounds."""
import math

COLOURS = ("#3a8fd0", "#d55e00", "#009e73", "#cc79a7", "#8a6d00")
WIDTH, HEIGHT, LEFT, TOP, PANEL, TALL = 760, 300, 52, 30, 300, 190


def power(x, y, n, anchor):
    return (f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">10<tspan dy="-4" font-size="8">{n}</tspan></text>')


def panel(x0, title, series, low, high):
    """Draws one diagram. Both axes are logarithmic; `low` and `high` are powers of ten of nanoseconds."""
    sizes = [n for n, _ in series[0][1]]
    xs = {n: x0 + PANEL * k / (len(sizes) - 1) for k, n in enumerate(sizes)}
    out = [f'<text x="{x0}" y="{TOP - 12}" font-weight="bold">{title}</text>']
    for k in range(low, high + 1):
        y = TOP + TALL * (high - k) / (high - low)
        out.append(f'<path d="M{x0} {y:.1f}h{PANEL}" stroke="#888" stroke-opacity=".35"/>')
        out.append(power(x0 - 6, y + 4, k, "end"))
    out += [power(xs[n], TOP + TALL + 16, len(str(n)) - 1, "middle") for n in sizes]
    for colour, (_, points) in zip(COLOURS, series):
        place = [(xs[n], TOP + TALL * (high - math.log10(1e9 * t / n)) / (high - low)) for n, t in points]
        out.append(f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in place)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in place]
    return out


def plot(path, series):
    """Writes the SVG. `series`: {"command, shape": [(events, CPU seconds)]}."""
    commands = list(dict.fromkeys(name.split(", ", 1)[0] for name in series))
    shapes = list(dict.fromkeys(name.split(", ", 1)[1] for name in series))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" '
           'fill="#777" role="img"><title>CPU nanoseconds per event over the number of events</title>']
    every = [1e9 * t / n for points in series.values() for n, t in points]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    for k, command in enumerate(commands):
        mine = [(shape, series[f"{command}, {shape}"]) for shape in shapes]
        out += panel(LEFT + k * (PANEL + 70), f"{command}: CPU ns per event", mine, low, high)
    for k, shape in enumerate(shapes):
        x, y = LEFT + (k % 3) * 230, TOP + TALL + 38 + 18 * (k // 3)
        out.append(f'<path d="M{x} {y - 4}h18" stroke="{COLOURS[k]}" stroke-width="3"/><text x="{x + 24}" y="{y}">{shape}</text>')
    with open(path, "w") as f:
        f.write("\n".join([*out, "</svg>"]) + "\n")
