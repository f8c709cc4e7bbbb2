package outbound

import (
	"errors"
	"net"
	"testing"
)

// However an address of the server's own network is written, nobody is dialled there.
func TestNoWayIn(t *testing.T) {
	for _, ip := range []string{"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
		"0.0.0.0", "0.1.2.3", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
		"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "::ffff:0:7f00:1", "64:ff9b::a9fe:a9fe",
		"64:ff9b:1::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:a9fe:a9fe::", "fe80::1", "fec0::1",
		"fd00:ec2::254", "ff02::1"} {
		if err := refusePrivate("tcp", net.JoinHostPort(ip, "443"), nil); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v", ip, err)
		}
	}
	for _, ip := range []string{"1.1.1.1", "93.184.216.34", "::ffff:1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1"} {
		if err := refusePrivate("tcp", net.JoinHostPort(ip, "443"), nil); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
}
