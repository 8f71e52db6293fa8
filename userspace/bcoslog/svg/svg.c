// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes a drawing as SVG: see svg.h. */
#include "entry/text.h"
#include "output/output.h"
#include "svg.h"

/* The colours are those of Okabe and Ito, which colour-blind people tell apart. */
static const char svg_style[] =
"<style>\n"
":root{color-scheme:light dark}\n"
"svg{background:#fff;font:12px system-ui,sans-serif}\n"
"text{fill:#222}\n"
".title{font-size:16px;font-weight:bold}.label{text-anchor:end}.tick{text-anchor:middle;font-size:11px}\n"
".process,.in{fill:#0072b2}.kernel{fill:#a9adb1}.out{fill:#e69f00}.idle{fill:#e8e8e8}.more{fill:#a6cee3}.critical{fill:#d55e00}\n"
".unknown{fill:url(#hatch)}.loss{fill:url(#hatch);opacity:.6}.back{stroke:#777}.stripe{fill:#fff}\n"
".partial{opacity:.6}.imprecise{fill:none;stroke:#777;stroke-dasharray:2 3;pointer-events:all}\n"
".axis{stroke:#444}.grid{stroke:#ddd}path{fill:none;stroke-width:1.5}\n"
".first{stroke:#0072b2}.second{stroke:#d55e00}\n"
"@media(prefers-color-scheme:dark){\n"
"svg{background:#161616}text{fill:#ddd}\n"
".process,.in{fill:#56b4e9}.kernel{fill:#666c73}.idle{fill:#333}.more{fill:#2a5a78}.back{stroke:#999}.stripe{fill:#161616}\n"
".axis{stroke:#bbb}.grid{stroke:#333}.first{stroke:#56b4e9}.second{stroke:#e69f00}\n"
"}\n"
"</style>\n"
"<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
"<rect class=\"stripe\" width=\"6\" height=\"6\"/><line class=\"back\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke-width=\"3\"/>"
"</pattern></defs>\n";

static void put_escaped(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		output_room();
		switch (text[i]) {
		case '&':
			put_literal("&amp;");
			break;
		case '<':
			put_literal("&lt;");
			break;
		case '>':
			put_literal("&gt;");
			break;
		case '"':
			put_literal("&quot;");
			break;
		default:
			put_char(text[i]);
			break;
		}
	}
}

/* Replaces U+FFFE and U+FFFF, which UTF-8 allows and XML does not, by U+FFFD.  Return: @length. */
static size_t without_noncharacters(char *text, size_t length)
{
	size_t i;

	for (i = 0; i + 2 < length; i++)
		if ((u8)text[i] == 0xEF && (u8)text[i + 1] == 0xBF && (u8)text[i + 2] >= 0xBE)
			text[i + 2] = (char)0xBD;
	return length;
}

/* Puts at most @most bytes, up to SVG_TIP, of text of the log. put_text() escapes control characters, which XML does not allow. */
static void put_log_text(const char *text, size_t length, size_t most)
{
	char clean[8 * SVG_TIP];
	size_t begin, used;

	/* There is room for all of it, since whatever put_text() flushed would not be escaped. */
	if (output.used > OUTPUT_SIZE - OUTPUT_ROOM - sizeof(clean))
		output_flush();
	begin = output.used;
	put_text(text, utf8_fit(text, length, most), 0);
	used = output.used - begin;
	memcpy(clean, output.buffer + begin, used);
	output.used = begin;
	put_escaped(clean, without_noncharacters(clean, used));
}

void svg_begin(const char *title, double width, double height)
{
	output_format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" height=\"%.6g\" "
		      "role=\"img\">\n<title>", width, height, width, height);
	put_escaped(title, strlen(title));
	output_format("</title>\n");
	output_bytes(svg_style, sizeof(svg_style) - 1);
	svg_text("title", 16, 28, title, strlen(title));
}

void svg_end(void)
{
	output_format("</svg>\n");
}

void svg_rect(const char *class, double x, double y, double width, double height, const char *tip)
{
	output_format("<rect class=\"%s\" x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"", class, x, y, width,
		      height);
	if (tip) {
		output_format("><title>");
		put_log_text(tip, strlen(tip), SVG_TIP);
		output_format("</title></rect>\n");
	} else {
		output_format("/>\n");
	}
}

void svg_line(const char *class, double x1, double y1, double x2, double y2)
{
	output_format("<line class=\"%s\" x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\"/>\n", class, x1, y1, x2, y2);
}

void svg_text(const char *class, double x, double y, const char *text, size_t length)
{
	output_format("<text class=\"%s\" x=\"%.6g\" y=\"%.6g\">", class, x, y);
	put_log_text(text, length, SVG_TEXT);
	output_format("</text>\n");
}

void svg_note(const char *class, double x, double y, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	output_format("<text class=\"%s\" x=\"%.6g\" y=\"%.6g\">", class, x, y);
	put_escaped(text, strlen(text));
	output_format("</text>\n");
}

void svg_path_begin(const char *class)
{
	output_format("<path class=\"%s\" d=\"", class);
}

void svg_path_point(double x, double y, bool begins)
{
	output_format("%c%.6g %.6g", begins ? 'M' : 'L', x, y);
}

void svg_path_end(void)
{
	output_format("\"/>\n");
}
